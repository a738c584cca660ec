// The examples of tuner/spec/README.md are meant to be copied, so they must parse.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// The fenced yaml blocks of the page, in order.
std::vector<std::string> yaml_blocks() {
  const std::string page =
      read_file(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "tuner/spec/README.md");
  constexpr std::string_view kOpen = "```yaml\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(kOpen); at != std::string::npos; at = page.find(kOpen, at)) {
    at += kOpen.size();
    const std::size_t end = page.find("```", at);
    blocks.push_back(page.substr(at, end - at));
    at = end;
  }
  return blocks;
}

class Readme : public testing::Test {
 protected:
  Readme() : blocks_(yaml_blocks()) {
    for (const char* source : {"plain.cu", "one_pass.cu", "two_pass.cu", "reference.cpp"}) {
      publish_file(folder_.path() / source, "");
    }
    std::filesystem::create_directory(folder_.path() / "include");
  }
  void SetUp() override { ASSERT_EQ(blocks_.size(), 4U); }

  [[nodiscard]] KernelSpec contract(std::size_t block) const {
    return parse_kernel(blocks_[block], folder_.path() / "kernel.yaml");
  }

  TemporaryFolder folder_;
  std::vector<std::string> blocks_;
};

TEST_F(Readme, ContractsRead) {
  EXPECT_EQ(contract(0).name, "copy");
  EXPECT_EQ(contract(1).variants.size(), 2U);
}

TEST_F(Readme, SweepsReadAndFitTheContract) {
  const SweepSpec first = parse_sweep(blocks_[2], "README.md");
  check_sweep(first, contract(1));
  const SweepSpec full = parse_sweep(blocks_[3], "README.md");
  check_sweep(full, contract(1));
  EXPECT_EQ(full.problems.size(), 13U);
  EXPECT_EQ(full.versions, (std::vector<std::string>{"V0", "V1", "wide"}));
}

}  // namespace
}  // namespace warpwright
