// Tests scripts/dev/convert_space, which converts a space in JSON to the sweep that the program
// reads.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/files.h"
#include "space/brute_force.h"
#include "spec/sweep_spec.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

struct Result {
  int exit_code = -1;
  std::string output;  // stdout and stderr
};

Result run_shell(const std::string& command) {
  Result result;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe)) {
    result.output.append(block.data(), got);
  }
  result.exit_code = WEXITSTATUS(pclose(pipe));
  return result;
}

Result convert(const std::string& arguments) {
  return run_shell(
      fmt::format("'{}/scripts/dev/convert_space' {}", WARPWRIGHT_SOURCE_DIR, arguments));
}

class ConvertSpace : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run_shell("python3 --version").exit_code != 0) GTEST_SKIP() << "no python3";
  }

  [[nodiscard]] std::string write(const std::string& json) const {
    const fs::path path = folder_.path() / "space.json";
    publish_file(path, json);
    return path.string();
  }

  TemporaryFolder folder_;
};

TEST_F(ConvertSpace, KeepsOrderValuesAndConstraints) {
  const std::string file =
      write(R"({"name": "tiny", "parameters": {"A": [1, 2], "L": ["row", "col"], "B": [4, 2]},
    "parameter_order": ["B", "A", "L"], "constraints": ["A < B || L == \"row\"", "B % A == 0"]})");
  const Result result = convert(file);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output,
            "# tiny\n"
            "space:\n"
            "  B: [4, 2]\n"
            "  A: [1, 2]\n"
            "  L: [\"row\", \"col\"]\n"
            "constraints:\n"
            "  - \"A < B || L == \\\"row\\\"\"\n"
            "  - \"B % A == 0\"\n");
  const std::unique_ptr<SearchSpace> space =
      solve_space(define_space(parse_sweep(result.output, ""), nullptr, {}, {}));
  EXPECT_EQ(space->axes("")[0].name, "B");
  EXPECT_EQ(space->count(), 7U);
}

TEST_F(ConvertSpace, WritesAFile) {
  const std::string file = write(R"({"parameters": {"A": [1, 2]}})");
  const fs::path out = folder_.path() / "out.yaml";
  EXPECT_EQ(convert(fmt::format("{} -o {}", file, out.string())).output, "");
  EXPECT_EQ(read_file(out), "space:\n  A: [1, 2]\n");
}

TEST_F(ConvertSpace, BadInputIsExplained) {
  const std::string file = write(R"({"parameters": {"A": []}})");
  const Result result = convert(file);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, file + ": parameter 'A' needs a list of at least one value\n");
}

TEST_F(ConvertSpace, ReferenceSpacesKeepTheirCountOnTheWay) {
  const char* root = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  if (root == nullptr || *root == '\0')
    GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA is not set: no reference spaces";
  const std::vector<std::pair<std::string, std::uint64_t>> counts = {{"atf_prl_16x16", 181440},
                                                                     {"hotspot", 349853},
                                                                     {"cltune_gemm", 241600},
                                                                     {"dedispersion", 11130}};
  for (const auto& [name, count] : counts) {
    const Result result = convert(fmt::format("'{}/spaces/{}.json'", root, name));
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const SweepSpec sweep = parse_sweep(result.output, name + ".yaml");
    EXPECT_EQ(solve_space(define_space(sweep, nullptr, {}, {}))->count(), count) << name;
  }
}

}  // namespace
}  // namespace warpwright
