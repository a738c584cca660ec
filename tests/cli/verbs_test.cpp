// Tests every verb: help with an example, JSON that parses, and the output for people.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class EveryVerb : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryVerb, HasHelpWithAnExample) {
  const ProgramResult result = run_program({GetParam(), "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Example"));
  EXPECT_THAT(result.out, HasSubstr(std::string("warpwright ") + GetParam()));
  EXPECT_THAT(result.out, HasSubstr("--json"));
}

INSTANTIATE_TEST_SUITE_P(Verbs, EveryVerb,
                         ::testing::Values("sweep", "show", "space", "kernels", "devices", "doctor",
                                           "salvage", "repro", "selftest", "import", "merge",
                                           "export", "bench", "model", "compare", "calibrate",
                                           "report", "versions", "gpu"));

TEST(Verbs, WithoutArgumentsTheProgramSaysWhereToStart) {
  const ProgramResult result = run_program({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Start here"));
}

TEST(Verbs, TheWorkerIsHidden) {
  EXPECT_THAT(run_program({"--help"}).out, ::testing::Not(HasSubstr("worker")));
}

TEST(Verbs, DevicesListsTheEmulatorAndItsLimits) {
  const nlohmann::json json = nlohmann::json::parse(run_program({"devices", "--json"}).out);
  bool found = false;
  for (const nlohmann::json& device : json["devices"]) {
    if (device["id"] != "emu:sm_90a") continue;
    found = true;
    EXPECT_FALSE(device["has_clock"].get<bool>());
    EXPECT_EQ(device["max_shared_per_block"], 232448);
    EXPECT_EQ(device["sm_count"], 132);
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(run_program({"devices"}).out, HasSubstr("modelled"));
}

TEST(Verbs, KernelsListsTheContracts) {
  const ProgramResult result = run_program({"kernels"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* kernel : {"softmax_topk", "gated_activation", "rmsnorm_residual"})
    EXPECT_THAT(result.out, HasSubstr(kernel));
}

TEST(Verbs, KernelsShowsOneContract) {
  const ProgramResult result = run_program({"kernels", "softmax_topk"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("THREADS"));
  EXPECT_THAT(result.out, HasSubstr("contract cases"));
}

TEST(Verbs, DoctorFindsNothingMissingHere) {
  const ProgramResult result = run_program({"doctor", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("NVRTC"));
  EXPECT_THAT(result.out, HasSubstr("Landlock"));
}

TEST(Verbs, SelftestRefusesADeviceWithoutAClock) {
  const ProgramResult result = run_program({"selftest", "--device", "emu:sm_90a"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("emu:sm_90a has no clock, its times are modelled"));
}

TEST(Verbs, SpaceCountsListsAndSamplesABareSpace) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "space.yaml";
  write_text(file, "space: {A: [1, 2, 3], B: [2, 4]}\nconstraints: [\"B % A == 0\"]\n");
  const nlohmann::json json = nlohmann::json::parse(
      run_program({"space", file.string(), "--list", "--checksum", "--json"}).out);
  EXPECT_EQ(json["spaces"][0]["count"], 4);  // (1,2) (1,4) (2,2) (2,4)
  EXPECT_EQ(json["spaces"][0]["cartesian"], 6.0);
  ASSERT_EQ(json["spaces"][0]["configurations"].size(), 4u);
  EXPECT_EQ(json["spaces"][0]["configurations"][1]["values"]["B"], 4);
  // SHA-256 of "1,2\n1,4\n2,2\n2,4\n".
  EXPECT_EQ(json["spaces"][0]["sha256"],
            "695ee64a747534dde087fac5fe490be947730f54d6f8c281e5dda72cd976205d");
  EXPECT_THAT(run_program({"space", file.string(), "--sample", "2"}).out, HasSubstr("A="));
}

}  // namespace
}  // namespace warpwright::testing
