// Tests warpwright vet --necessity through the built program, on kernels whose barriers, waits and
// fences are marked as needed or not (tests/fixtures/marked_barriers).
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/words.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class NecessityBase {
 protected:
  ProgramResult necessity(const std::filesystem::path& file, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"vet", file.string(), "--necessity", "--quiet", "--emulator-workers", "1"});
    return run_program(more, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  std::filesystem::path write(const std::string& source) {
    write_text(folder_.path() / "kernel.cu", source);
    return folder_.path() / "kernel.cu";
  }
  TemporaryFolder folder_;
};

// The verdict that the comment of a line states, as --json says it, with the kind of the finding;
// "" if the line has no mark.
std::string marked(std::string_view line) {
  constexpr std::string_view kNeeded = "// needed: ";
  if (const std::size_t at = line.find(kNeeded); at != line.npos)
    return "needed: " + std::string(line.substr(at + kNeeded.size()));
  if (line.find("// superfluous") != line.npos) return "no case needs it";
  if (line.find("// unreached") != line.npos) return "no case reaches it";
  if (line.find("// undecided") != line.npos) return "not decided";
  return "";
}

class MarkedBarriers : public NecessityBase, public ::testing::TestWithParam<const char*> {};

TEST_P(MarkedBarriers, AreJudgedAsTheyAreMarked) {
  const std::string file =
      std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/fixtures/marked_barriers/" + GetParam() + ".cu";
  std::map<int, std::string> expected;  // by line
  int line = 0;
  const std::string source = read_file(file);
  for (const std::string_view text : split_lines(source)) {
    ++line;
    if (const std::string mark = marked(text); !mark.empty()) expected[line] = mark;
  }
  const ProgramResult result = necessity(file, {"--schedules", "3", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  std::map<int, std::string> judged;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json.at("necessity").size(), 1u);
  for (const auto& site : json.at("necessity").at(0).at("sites")) {
    std::string verdict = site.at("verdict");
    if (!site.at("prevents").is_null())
      verdict += ": " + site.at("prevents").at("kind").get<std::string>();
    judged[site.at("here").at("line").get<int>()] = verdict;
    for (const auto& place : site.at("also")) judged[place.at("line").get<int>()] = verdict;
  }
  EXPECT_EQ(judged, expected);
}

INSTANTIATE_TEST_SUITE_P(Files, MarkedBarriers,
                         ::testing::Values("block_sums", "double_buffer", "warps_and_flags",
                                           "hand_over"),
                         [](const auto& test) { return std::string(test.param); });

class Necessity : public NecessityBase, public ::testing::Test {};

constexpr const char* kReverse =
    "// vet: reverse<<<1, 64>>>(x[64], y[64])\n"
    "__global__ void reverse(const float* x, float* y) {\n"
    "  __shared__ float tile[64];\n"
    "  tile[threadIdx.x] = x[threadIdx.x];\n"
    "  y[threadIdx.x] = tile[63 - threadIdx.x];\n"
    "  __syncthreads();\n"
    "}\n";

TEST_F(Necessity, OfAKernelWithFindingsIsNotExamined) {
  const ProgramResult result = necessity(write(kReverse));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernel.cu:4: hazard: shared race: "));
  EXPECT_THAT(result.out, HasSubstr("kernel.cu: no barrier was left out, because there are "
                                    "findings with all of them in place\n"));
}

TEST_F(Necessity, OfAKernelThatReachesALimitIsNotExamined) {
  const ProgramResult result = necessity(write("// vet: spin<<<1, 32>>>(x[1] = 0)\n"
                                               "__global__ void spin(volatile int* x) {\n"
                                               "  while (*x == 0) {}\n"
                                               "}\n"),
                                         {"--instructions", "20000", "--seed", "1"});
  EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernel.cu: no barrier was left out, because a limit was "
                                    "reached with all of them in place\n"));
}

TEST_F(Necessity, IsNotForSarif) {
  const ProgramResult result = necessity("x.cu", {"--sarif", "x.sarif"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--sarif is for findings, and --necessity has none; take "
                                    "--json, or run vet without --necessity"));
}

TEST_F(Necessity, IsNotForContracts) {
  const ProgramResult result = necessity("x.cu", {"--strict"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--strict is about contracts, which --necessity does not "
                                    "check; run vet without --necessity for that"));
}

}  // namespace
}  // namespace warpwright::testing
