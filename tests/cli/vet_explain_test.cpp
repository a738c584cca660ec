// Tests the kernels of `vet --explain`: each broken one shows its own kind of finding and no other,
// each fixed one none.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::filesystem::path kPages =
    std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "tuner" / "vet" / "explain" / "pages";

std::vector<std::string> pages() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPages))
    if (entry.path().extension() == ".md") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Explained : public ::testing::TestWithParam<std::string> {
 protected:
  // Returns the kinds of findings in one of the page's kernels.
  std::set<std::string> kinds_in(const std::string& which, int exit_code) {
    const auto file = kPages / (GetParam() + "." + which + ".cu");
    const ProgramResult result =
        run_program({"vet", file.string(), "--json", "--quiet", "--emulator-workers", "1"},
                    {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    const nlohmann::json json = nlohmann::json::parse(result.out);
    EXPECT_TRUE(json.at("failures").empty()) << result.out;
    std::set<std::string> kinds;
    for (const auto& hazard : json.at("hazards")) kinds.insert(hazard.at("kind"));
    return kinds;
  }
  TemporaryFolder folder_;
};

TEST_P(Explained, TheBrokenKernelShowsThatKindAlone) {
  std::string kind = GetParam();
  std::replace(kind.begin(), kind.end(), '-', ' ');
  std::set<std::string> expected{kind};
  // A launch can leave out an output only because of something that an earlier one left behind.
  if (kind == "output not from this launch") expected.insert("state kept between launches");
  EXPECT_EQ(kinds_in("broken", 1), expected);
}

TEST_P(Explained, TheMendedKernelIsClean) {
  EXPECT_EQ(kinds_in("mended", 0), std::set<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Kinds, Explained, ::testing::ValuesIn(pages()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(VetExplain, IsAskedForByTheKindsWords) {
  const ProgramResult page = run_program({"vet", "--explain", "stale", "read"}, {});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, AllOf(StartsWith("stale read\n\nA read through `ld.global.nc`"),
                              HasSubstr("\nFixed\n\n    // vet: twice<<<1, 64>>>(x[64])\n")));
  const ProgramResult list = run_program({"vet", "--explain"}, {});
  EXPECT_THAT(list.out, AllOf(HasSubstr("\ndeadlock\n    Every warp"),
                              HasSubstr("`warpwright vet --explain KIND` has a page on each")));
}

TEST(VetExplain, WithoutItAKernelIsNeeded) {
  const ProgramResult result = run_program({"vet"}, {});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(
      result.err,
      "warpwright: vet needs a kernel; name a .cu file, a kernel, its folder or a contract\n");
}

}  // namespace
}  // namespace warpwright::testing
