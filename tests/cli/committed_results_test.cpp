// Tests the results in the repository as a user without a GPU would use them: they are imported,
// shown, exported, put on a page, and compared with published results of other GPUs and of an
// emulated one.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CommittedResults : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult result =
        import(std::string(WARPWRIGHT_SOURCE_DIR) + "/results/nvidia-h200/fused/warpwright.db.gz");
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] ProgramResult import(const std::string& what) const {
    return run_program({"import", what, "--db", file("all.db")});
  }
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--db", file("all.db")});
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + file("cache")});
  }
  TemporaryFolder folder_;
};

TEST_F(CommittedResults, AreShownWithTheirLimits) {
  const ProgramResult shown = run({"show", "swiglu", "--importance", "--landscape"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("NVIDIA H200 (cuda:0), cold, measured"));
  EXPECT_THAT(shown.out, HasSubstr("(measured ceiling: "));
  EXPECT_THAT(shown.out, HasSubstr("over the default configuration"));
  EXPECT_THAT(shown.out, HasSubstr("what decides the time (measured)"));
}

TEST_F(CommittedResults, GiveAHeaderAndAPage) {
  const ProgramResult exported =
      run({"export", "softmax_topk", "--format", "header", "-o", file("softmax_topk.h")});
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_THAT(read_file(file("softmax_topk.h")), HasSubstr("NVIDIA H200 (sm_90a)"));
  const ProgramResult page = run({"report", "-o", file("report.html")});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(read_file(file("report.html")), HasSubstr("NVIDIA H200"));
}

// Each contender is labelled by its kind, and no time is divided by one of another kind.
TEST_F(CommittedResults, StandBesidePublishedAndEmulatedOnes) {
  const char* published = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  if (published == nullptr) GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA names no published results";
  for (const char* gpu : {"A100", "A4000", "MI250X"}) {
    const ProgramResult imported =
        import(std::string(published) + "/t4/convolution_milo-" + gpu + ".json.gz");
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
  }
  for (const char* device : {"emu:sm_80", "emu:sm_90a"}) {
    const std::string config =
        std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/softmax_topk_quick.yaml";
    const ProgramResult swept =
        run({"sweep", config, "--device", device, "--budget", "3", "--quiet"});
    ASSERT_EQ(swept.exit_code, 0) << swept.err;
  }
  const ProgramResult compared = run({"compare", "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const nlohmann::json json = nlohmann::json::parse(compared.out);
  EXPECT_EQ(json["contenders"].size(), 6u);
  const std::string text = run({"compare"}).out;
  EXPECT_THAT(text, HasSubstr("times here are imported, measured, modelled: no speed-up is given "
                              "across kinds"));
  for (const char* kind : {"measured  ", "imported  ", "modelled  "})
    EXPECT_THAT(text, HasSubstr(kind));
  EXPECT_THAT(text, HasSubstr("C against B: 1 slower, of 1 problem"));
  EXPECT_THAT(text, Not(HasSubstr("B against A")));
}

}  // namespace
}  // namespace warpwright::testing
