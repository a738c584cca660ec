// Tests the minimal contract of a single source: which keys may be left out, and which may not.
#include <gmock/gmock.h>

#include "core/error.h"
#include "core/files.h"
#include "spec/kernel_spec.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

constexpr const char* kContract =
    "problem: {n: {default: 1000}}\n"
    "arguments:\n"
    "  - {name: x, in: f32, shape: [n], fill: \"uniform(-1, 1)\"}\n"
    "  - {name: y, out: f32, shape: [n]}\n"
    "  - {name: n, value: n}\n"
    "parameters: {THREADS: {default: 128}}\n";

class LaunchContract : public ::testing::Test {
 protected:
  void SetUp() override { write("scale.cu", "// empty\n"); }
  void write(const std::string& name, const std::string& text) {
    publish_file(folder_.path() / name, text);
  }
  KernelSpec read(const std::string& rest) {
    write("scale.yaml", kContract + rest);
    return read_launch_contract(folder_.path() / "scale.yaml");
  }
  std::string refusal(const std::string& rest) {
    try {
      (void)read(rest);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  }
  TemporaryFolder folder_{"launch-contract"};
};

TEST_F(LaunchContract, LaunchesStandForTheSourceOfTheSameName) {
  const KernelSpec kernel =
      read("launches: [{entry: scale, grid: \"ceil_div(n, THREADS)\", block: THREADS}]\n");
  EXPECT_TRUE(kernel.launch_only);
  EXPECT_EQ(kernel.name, "scale");
  ASSERT_EQ(kernel.variants.size(), 1u);
  EXPECT_EQ(kernel.variants[0].source, folder_.path() / "scale.cu");
  EXPECT_EQ(kernel.variants[0].parameters, std::vector<std::string>{"THREADS"});
  EXPECT_EQ(kernel.variants[0].launches[0].arguments.size(), 3u);
  EXPECT_TRUE(kernel.cases.empty());
}

TEST_F(LaunchContract, VariantsMayBeNamedAsInAFolder) {
  const KernelSpec kernel = read(
      "kernel: scaling\n"
      "variants: {one: {source: scale.cu, parameters: [THREADS], launches: "
      "[{entry: scale, grid: n, block: THREADS}]}}\n");
  EXPECT_EQ(kernel.name, "scaling");
  EXPECT_EQ(kernel.variants[0].name, "one");
}

TEST_F(LaunchContract, SaysWhatIsMissingOrTooMuch) {
  EXPECT_THAT(refusal(""), HasSubstr("launches"));
  EXPECT_THAT(refusal("launches: []\n"), HasSubstr("got an empty list"));
  EXPECT_THAT(refusal("launches: [{entry: scale, grid: m, block: 1}]\n"), HasSubstr("'m'"));
  EXPECT_THAT(refusal("launches: [{entry: scale, grid: n, block: 1}]\n"
                      "variants: {one: {source: scale.cu, launches: []}}\n"),
              HasSubstr("stands in the place of `variants`"));
  std::filesystem::remove(folder_.path() / "scale.cu");
  EXPECT_THAT(refusal("launches: [{entry: scale, grid: n, block: 1}]\n"),
              HasSubstr("scale.cu, which is not there"));
}

}  // namespace
}  // namespace warpwright
