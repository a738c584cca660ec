// The fixture sweep uses every key; these tests read it back, key by key.
#include "spec/sweep_spec.h"

#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using Problem = std::map<std::string, Value>;
using Strings = std::vector<std::string>;

SweepSpec fixture_sweep() { return read_sweep(fixture_folder() / "sweeps/softmax_topk.yaml"); }

std::vector<Value> values_of(const std::string& yaml) {
  return parse_sweep("space: {A: " + yaml + "}\n", "sweep.yaml").space.at(0).values;
}
std::vector<Value> integers(const std::vector<int>& list) { return {list.begin(), list.end()}; }

TEST(SweepSpec, HoldsItsTextAndPlace) {
  const SweepSpec sweep = fixture_sweep();
  EXPECT_EQ(sweep.kernel, "softmax_topk");
  EXPECT_EQ(sweep.kernel_where.line, 2);
  EXPECT_EQ(sweep.file, fixture_folder() / "sweeps/softmax_topk.yaml");
  EXPECT_EQ(sweep.text, read_file(sweep.file));
}

TEST(SweepSpec, FitsTheContract) { check_sweep(fixture_sweep(), fixture_kernel()); }

TEST(SweepSpec, MultipliesTheListsOfAProblemTheLastFastest) {
  const SweepSpec sweep = fixture_sweep();
  ASSERT_EQ(sweep.problems.size(), 5U);
  EXPECT_EQ(sweep.problems[0].sizes, (Problem{{"rows", 8192}, {"V", 50257}, {"K", 10}}));
  const auto expected = [](int rows, const char* dtype) {
    return Problem{{"rows", rows}, {"V", 128256}, {"K", 50}, {"dtype", dtype}};
  };
  EXPECT_EQ(sweep.problems[1].sizes, expected(64, "f32"));
  EXPECT_EQ(sweep.problems[2].sizes, expected(64, "bf16"));
  EXPECT_EQ(sweep.problems[3].sizes, expected(128, "f32"));
  EXPECT_EQ(sweep.problems[4].sizes, expected(128, "bf16"));
  EXPECT_EQ(sweep.problems[3].size_where.at("rows").column, 17);
  ASSERT_EQ(sweep.emulated.size(), 1U);
  EXPECT_EQ(sweep.emulated[0].sizes.at("rows"), Value(4));
}

TEST(SweepSpec, HoldsTheSpaceInOrder) {
  const SweepSpec sweep = fixture_sweep();
  EXPECT_EQ(sweep.variants, (Strings{"block_row", "warp_row"}));
  ASSERT_EQ(sweep.space.size(), 3U);
  EXPECT_EQ(sweep.space[0].name, "THREADS");
  EXPECT_EQ(sweep.space[0].values, integers({128, 256, 512, 1024}));
  EXPECT_TRUE(sweep.space[0].value_where.empty());
  EXPECT_EQ(sweep.space[1].values, integers({8, 16}));
  EXPECT_EQ(sweep.space[1].value_where.at(1).column, 16);
  EXPECT_EQ(sweep.space[2].values, (std::vector<Value>{Value("row")}));
}

TEST(SweepSpec, HoldsPresetsAndVersions) {
  const SweepSpec sweep = fixture_sweep();
  ASSERT_EQ(sweep.presets.size(), 3U);
  EXPECT_EQ(sweep.presets[0].name, "V0");
  EXPECT_EQ(sweep.presets[0].values, (Problem{{"THREADS", 256}, {"LOCAL_K", 8}}));
  EXPECT_EQ(sweep.versions, (Strings{"V0", "V1", "wide"}));
}

TEST(SweepSpec, HoldsConstraintsSearchAndBudget) {
  const SweepSpec sweep = fixture_sweep();
  ASSERT_EQ(sweep.constraints.size(), 2U);
  EXPECT_EQ(sweep.constraints[0].expr.text(), "THREADS * LOCAL_K <= 4096");
  EXPECT_EQ(sweep.constraints[1].because, "idle threads");
  EXPECT_EQ(sweep.strategy, "genetic");
  EXPECT_EQ(sweep.strategy_options, (Problem{{"population", 20}, {"mutation", 0.1}}));
  EXPECT_EQ(sweep.budget.trials, 500);
  EXPECT_EQ(sweep.budget.time, std::chrono::minutes(10));
}

TEST(SweepSpec, DefaultsToEveryVariantWithoutLimitAndNamesNoStrategy) {
  const SweepSpec sweep = parse_sweep("kernel: k\nproblems: [{rows: 1}]\n", "sweep.yaml");
  EXPECT_EQ(sweep.strategy, "");
  EXPECT_FALSE(sweep.variants.has_value());
  EXPECT_FALSE(sweep.budget.trials.has_value());
  EXPECT_FALSE(sweep.budget.time.has_value());
  EXPECT_TRUE(sweep.space.empty());
  EXPECT_TRUE(sweep.versions.empty());
}

TEST(SweepSpec, TakesVariantAllForEveryVariant) {
  const SweepSpec sweep =
      parse_sweep("kernel: k\nproblems: [{rows: 1}]\nspace: {variant: all, A: 1}\n", "sweep.yaml");
  EXPECT_FALSE(sweep.variants.has_value());
}

TEST(SweepSpec, TakesOneVariantAndOneStrategyWithoutBrackets) {
  const SweepSpec sweep = parse_sweep(
      "kernel: k\nproblems: [{rows: 1}]\nspace: {variant: a}\nsearch: random\nbudget: 200,90s\n",
      "sweep.yaml");
  EXPECT_EQ(sweep.variants, (Strings{"a"}));
  EXPECT_EQ(sweep.strategy, "random");
  EXPECT_EQ(sweep.budget.trials, 200);
  EXPECT_EQ(sweep.budget.time, std::chrono::seconds(90));
}

TEST(SweepSpec, TakesEitherPolicyForHazardsAndNoneByDefault) {
  const std::string head = "kernel: k\nproblems: [{rows: 1}]\n";
  EXPECT_EQ(parse_sweep(head, "sweep.yaml").hazards, std::nullopt);
  EXPECT_EQ(parse_sweep(head + "hazards: reject\n", "sweep.yaml").hazards, HazardPolicy::kReject);
  EXPECT_EQ(parse_sweep(head + "hazards: warn\n", "sweep.yaml").hazards, HazardPolicy::kWarn);
}

TEST(SweepSpec, ReadsABareSpace) {
  const SweepSpec sweep =
      parse_sweep("space: {A: [1, 2], B: {pow2: [4, 16]}}\nconstraints: [\"A < B\"]\n", "");
  EXPECT_EQ(sweep.kernel, "");
  EXPECT_TRUE(sweep.file.empty());
  EXPECT_EQ(sweep.space.size(), 2U);
  EXPECT_EQ(sweep.constraints.size(), 1U);
}

TEST(SweepSpec, ReadsVersionNumbersRangesAndNames) {
  const std::string presets =
      "kernel: k\nproblems: [{rows: 1}]\npresets: {V0: {A: 1}, V1: {A: 2}, V2: {A: 3}, H0: {A: "
      "4}}\n";
  const auto versions = [&](const std::string& text) {
    return parse_sweep(presets + "version: " + text + "\n", "sweep.yaml").versions;
  };
  EXPECT_EQ(versions("[0..2]"), (Strings{"V0", "V1", "V2"}));
  EXPECT_EQ(versions("0..1"), (Strings{"V0", "V1"}));
  EXPECT_EQ(versions("[2, H0, 0]"), (Strings{"V2", "H0", "V0"}));
  EXPECT_EQ(versions("V1"), (Strings{"V1"}));
}

TEST(SweepValues, ReadsRanges) {
  EXPECT_EQ(values_of("{range: [2, 5]}"), integers({2, 3, 4, 5}));
  EXPECT_EQ(values_of("{range: [2, 16, 4]}"), integers({2, 6, 10, 14}));
  EXPECT_EQ(values_of("{range: [-1, 1]}"), integers({-1, 0, 1}));
  EXPECT_EQ(values_of("{range: [7, 7]}"), integers({7}));
  EXPECT_EQ(values_of("{range: [1, 100000]}").size(), 100000U);
}

TEST(SweepValues, ReadsRangesToTheEndsOfTheIntegers) {
  const auto wide =
      values_of("{range: [-9223372036854775808, 9223372036854775807, 9223372036854775807]}");
  ASSERT_EQ(wide.size(), 3U);
  EXPECT_EQ(wide[1], Value(-1));
  EXPECT_EQ(values_of("{pow2: [1, 4611686018427387904]}").size(), 63U);
}

TEST(SweepValues, ReadsPowersOfTwo) {
  EXPECT_EQ(values_of("{pow2: [32, 256]}"), integers({32, 64, 128, 256}));
  EXPECT_EQ(values_of("{pow2: [1, 1]}"), integers({1}));
}

TEST(SweepValues, TurnsIntegersAmongRealsIntoReals) {
  EXPECT_EQ(values_of("[0.5, 1]"), (std::vector<Value>{Value(0.5), Value(1.0)}));
}

TEST(SweepValues, KeepsQuotedNumbersAsText) {
  EXPECT_EQ(values_of("[\"1\", 'on']"), (std::vector<Value>{Value("1"), Value("on")}));
}

TEST(SweepValues, ReadsBooleansAndHexadecimal) {
  EXPECT_EQ(values_of("[true, false]"), (std::vector<Value>{Value(true), Value(false)}));
  EXPECT_EQ(values_of("0x20"), integers({32}));
}

}  // namespace
}  // namespace warpwright
