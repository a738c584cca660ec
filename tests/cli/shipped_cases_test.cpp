// Every kernel that ships is right on all of its cases with the defaults of each variant, and no
// checker objects, through the built program. More schedules and other configurations are for
// `warpwright vet` and for the tests of kernels that have their own.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> kernels_to_use() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels")) {
    const std::string name = entry.path().filename().string();
    // Those of the harness hang, crash and stray on purpose.
    if (fs::exists(entry.path() / "kernel.yaml") && !name.starts_with("harness_"))
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class ShippedCases : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedCases, PassUnderTheCheckers) {
  const ProgramResult vetted = run_program(
      {"vet", GetParam(), "--schedules", "1", "--json"},
      {"WARPWRIGHT_CACHE=" + (fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache").string()});
  EXPECT_EQ(vetted.exit_code, 0) << vetted.out << vetted.err;
}

INSTANTIATE_TEST_SUITE_P(Kernels, ShippedCases, ::testing::ValuesIn(kernels_to_use()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace warpwright::testing
