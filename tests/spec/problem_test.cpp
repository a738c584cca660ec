#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using Problem = std::map<std::string, Value>;
const SourceLocation kWhere{"here", 3, 7};

std::string problem_message(const Problem& given) {
  return message_of([&] { static_cast<void>(complete_problem(fixture_kernel(), given, kWhere)); });
}

TEST(CompleteProblem, AddsDefaults) {
  const Problem problem =
      complete_problem(fixture_kernel(), {{"rows", 8}, {"V", 100}, {"K", 4}}, kWhere);
  EXPECT_EQ(problem,
            (Problem{{"rows", 8}, {"V", 100}, {"K", 4}, {"dtype", "f32"}, {"scale", 1.0}}));
}

TEST(CompleteProblem, TurnsAnIntegerIntoARealWhereTheSizeIsReal) {
  const Problem problem =
      complete_problem(fixture_kernel(), {{"rows", 8}, {"V", 100}, {"K", 4}, {"scale", 2}}, kWhere);
  EXPECT_EQ(problem.at("scale"), Value(2.0));
}

TEST(CompleteProblem, ReportsAMissingSizeWithItsMeaning) {
  EXPECT_EQ(problem_message({{"rows", 8}, {"K", 4}}),
            "here:3:7: the problem does not give 'V' (vocabulary size); add `V: ...`");
}

TEST(CompleteProblem, ReportsAnUnknownSize) {
  EXPECT_EQ(problem_message({{"row", 8}, {"V", 100}, {"K", 4}}),
            "here:3:7: unknown problem size 'row' of kernel 'softmax_topk'; did you mean 'rows'?");
}

TEST(CompleteProblem, ReportsValuesOutsideTheLimits) {
  EXPECT_EQ(problem_message({{"rows", 0}, {"V", 100}, {"K", 4}}),
            "here:3:7: problem size 'rows': got 0, expected at least 1");
  EXPECT_EQ(problem_message({{"rows", 8}, {"V", 100}, {"K", 257}}),
            "here:3:7: problem size 'K': got 257, expected at most 256");
  EXPECT_EQ(
      problem_message({{"rows", 8}, {"V", 100}, {"K", 4}, {"dtype", "f16"}}),
      "here:3:7: problem size 'dtype': got f16, expected one of f32, bf16; did you mean 'bf16'?");
}

TEST(CompleteProblem, ReportsValuesOfTheWrongType) {
  EXPECT_EQ(problem_message({{"rows", "8"}, {"V", 100}, {"K", 4}}),
            "here:3:7: problem size 'rows': got the string '8', expected an integer");
  EXPECT_EQ(problem_message({{"rows", true}, {"V", 100}, {"K", 4}}),
            "here:3:7: problem size 'rows': got the boolean true, expected an integer");
  EXPECT_EQ(problem_message({{"rows", 8.5}, {"V", 100}, {"K", 4}}),
            "here:3:7: problem size 'rows': got the real 8.5, expected an integer");
}

TEST(DescribeProblem, FollowsTheContractsOrder) {
  EXPECT_EQ(describe_problem(fixture_kernel(),
                             {{"K", 10}, {"V", 50257}, {"rows", 8192}, {"dtype", "f32"}}),
            "rows=8192 V=50257 K=10 dtype=f32");
  EXPECT_EQ(describe_problem(fixture_kernel(), {}), "");
}

TEST(FindKernels, ListsFoldersThatHoldAContract) {
  const auto kernels = find_kernels({fixture_folder()});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels.at("softmax_topk"), kernel_folder() / "kernel.yaml");
}

TEST(FindKernels, TakesAKernelsOwnFolderAsARoot) {
  EXPECT_EQ(find_kernels({kernel_folder()}).at("softmax_topk"), kernel_folder() / "kernel.yaml");
}

TEST(FindKernels, LetsTheFirstRootWin) {
  const TemporaryFolder other;
  std::filesystem::create_directories(other.path() / "softmax_topk");
  publish_file(other.path() / "softmax_topk/kernel.yaml", "not read here");
  EXPECT_EQ(find_kernels({other.path(), fixture_folder()}).at("softmax_topk"),
            other.path() / "softmax_topk/kernel.yaml");
}

TEST(FindKernels, FindsNothingWhereThereIsNothing) {
  EXPECT_TRUE(find_kernels({fixture_folder() / "none", kernel_folder() / "kernel.yaml"}).empty());
  EXPECT_TRUE(find_kernels({}).empty());
}

}  // namespace
}  // namespace warpwright
