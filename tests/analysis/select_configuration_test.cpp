#include "analysis/select/select_configuration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/sample_selection.h"

namespace warpwright {
namespace {

using testing::constraint;
using testing::sample_problem;
using testing::sample_selection;

const SelectionDevice kH200{"NVIDIA H200", "sm_90a", {}};

SelectionDecision choose(const SelectionModel& model, const std::vector<Value>& sizes,
                         const SelectionDevice& device = kH200) {
  return select_configuration(model, device, sizes);
}

TEST(SelectConfiguration, TunedProblemsGetTheirWinners) {
  const SelectionModel model = sample_selection();
  for (std::size_t i = 0; i < model.boards.size(); ++i) {
    const SelectionBoard& board = model.boards[i];
    const SelectionDecision decision = choose(model, board.sizes, model.devices[board.device]);
    EXPECT_EQ(decision.match, SelectionMatch::kExact) << i;
    EXPECT_EQ(decision.configuration, board.winner) << i;
    EXPECT_EQ(decision.board, i);
    EXPECT_EQ(decision.distance, 0);
  }
}

TEST(SelectConfiguration, OtherProblemsAskTheNearestOfTheDevice) {
  const SelectionDecision few = choose(sample_selection(), sample_problem(24, 64));
  EXPECT_EQ(few.match, SelectionMatch::kNearestSameDevice);
  EXPECT_EQ(few.configuration, 1U);
  EXPECT_EQ(few.board, 0U);
  const SelectionDecision many = choose(sample_selection(), sample_problem(9000, 32));
  EXPECT_EQ(many.configuration, 0U);
  EXPECT_EQ(many.board, 3U);
}

TEST(SelectConfiguration, DistanceCountsFactorsOfTwoAndTheTrafficTwice) {
  // Twice the rows adds a distance of about 1 in log2(1 + rows) and about 2 * 1 in the traffic.
  const SelectionDecision decision = choose(sample_selection(), sample_problem(16384, 32));
  EXPECT_NEAR(decision.distance, std::sqrt(1 + 4), 1e-3);
}

TEST(SelectConfiguration, ConstraintsHoldOnTheAskedProblem) {
  // `warp` would win near its problem, but holds at most 32; a K above 32 rules it out and leaves
  // 1024 threads.
  EXPECT_EQ(choose(sample_selection(), sample_problem(5000, 8)).configuration, 3U);
  const SelectionDecision decision = choose(sample_selection(), sample_problem(5000, 33));
  EXPECT_EQ(decision.match, SelectionMatch::kNearestSameDevice);
  EXPECT_TRUE(decision.configuration == 1U || decision.configuration == 2U);
}

TEST(SelectConfiguration, WhereNoCandidateMayTheDefaultsAreTried) {
  // K = 64 needs 256 threads: the winners of bf16 have 128, the default has enough. No result is
  // known for configurations with more threads, on f32 either.
  SelectionModel model = sample_selection();
  for (const std::size_t wide : {1, 2})
    model.fractions[wide].assign(model.boards.size(), kUnknownFraction);
  const SelectionDecision decision = choose(model, sample_problem(4096, 64, "bf16"));
  EXPECT_EQ(decision.match, SelectionMatch::kDefault);
  EXPECT_EQ(decision.configuration, 5U);
  EXPECT_FALSE(decision.board);
}

TEST(SelectConfiguration, NothingIsChosenThatCannotRun) {
  const SelectionDecision decision =
      choose(sample_selection(), sample_problem(4096, 256 - 1, "bf16"));
  EXPECT_EQ(decision.configuration, 1U);
  SelectionModel model = sample_selection();
  for (VariantSpec& variant : model.contract.variants)
    variant.constraints.push_back(constraint("rows / (rows - 7) >= 0"));
  EXPECT_EQ(choose(model, sample_problem(7, 8)).match, SelectionMatch::kNone) << "division by zero";
  EXPECT_NE(choose(model, sample_problem(8, 8)).match, SelectionMatch::kNone);
}

TEST(SelectConfiguration, OtherListedValuesAreAskedWhereNoneAreTheSame) {
  // Nothing was tuned with write_z=0, nor with causal: each counts as far as a factor of four.
  const SelectionDecision one = choose(sample_selection(), sample_problem(16, 64, "f32", 0));
  EXPECT_EQ(one.match, SelectionMatch::kNearestOtherChoice);
  EXPECT_EQ(one.configuration, 1U);
  EXPECT_EQ(one.board, 0U);
  EXPECT_GT(one.score, 0.5);
  std::vector<Value> causal = sample_problem(16, 64);
  causal[5] = true;
  const SelectionDecision two = choose(sample_selection(), causal);
  EXPECT_EQ(two.match, SelectionMatch::kNearestOtherChoice);
  EXPECT_EQ(two.distance, kOtherChoice);
}

TEST(SelectConfiguration, TheSameListedValuesOnAnotherDeviceComeBeforeOthersOnThisOne) {
  // The H100 has a board only for f32.
  const SelectionDevice h100{"NVIDIA H100", "sm_90a", {}};
  EXPECT_EQ(choose(sample_selection(), sample_problem(64, 64, "bf16"), h100).match,
            SelectionMatch::kNearestSameArch);
}

TEST(SelectConfiguration, AnotherDeviceOfTheArchitectureComesSecond) {
  const SelectionDevice gh200{"NVIDIA GH200", "sm_90", {}};
  const SelectionDecision decision = choose(sample_selection(), sample_problem(20, 64), gh200);
  EXPECT_EQ(decision.match, SelectionMatch::kNearestSameArch);
  EXPECT_EQ(decision.configuration, 1U);
  // An H100 has a board of its own for f32, and none for bf16.
  const SelectionDevice h100{"NVIDIA H100", "sm_90a", {}};
  EXPECT_EQ(choose(sample_selection(), sample_problem(20, 64), h100).match,
            SelectionMatch::kNearestSameDevice);
  EXPECT_EQ(choose(sample_selection(), sample_problem(4096, 8, "bf16"), h100).match,
            SelectionMatch::kNearestSameArch);
}

TEST(SelectConfiguration, AnUnknownArchitectureGetsTheDefaultsOfTheVariantThatIsBestNearby) {
  const SelectionDevice unknown{"AMD", "gfx942", {}};
  const SelectionDecision few = choose(sample_selection(), sample_problem(16, 16), unknown);
  EXPECT_EQ(few.match, SelectionMatch::kDefault);
  EXPECT_EQ(few.configuration, 5U) << "`warp` was never tried with few rows";
  SelectionModel model = sample_selection();
  model.merits = {{400, 1000, 900, 985, 400}, {1000, 300, 300, 400, 1000}};
  EXPECT_EQ(choose(model, sample_problem(16, 16), unknown).configuration, 5U);
  EXPECT_EQ(choose(model, sample_problem(8192, 16), unknown).configuration, 4U);
  EXPECT_EQ(choose(model, sample_problem(8192, 64), unknown).configuration, 5U)
      << "`warp` may not have more than 32";
}

TEST(SelectConfiguration, ANameNeverOverrulesAnArchitecture) {
  const SelectionDevice forged{"NVIDIA H200", "sm_80", {}};
  EXPECT_EQ(choose(sample_selection(), sample_problem(16, 64), forged).match,
            SelectionMatch::kDefault);
}

// A configuration that runs only on one architecture is never chosen for another, whatever was
// tuned.
TEST(SelectConfiguration, WhatAnArchitectureCannotDoIsNotChosenForIt) {
  SelectionModel model = sample_selection();
  model.contract.variants[0].constraints.push_back(
      constraint("device.compute_capability == 90", "wgmma"));
  for (const char* arch : {"sm_80", "sm_86", "sm_89", "sm_100", "sm_100a", "sm_120a"}) {
    const SelectionDecision decision = choose(model, sample_problem(16, 16), {"any", arch, {}});
    EXPECT_EQ(decision.configuration, 4U) << arch;
    EXPECT_EQ(choose(model, sample_problem(16, 64), {"NVIDIA H200", arch, {}}).match,
              SelectionMatch::kNone)
        << arch << ": `warp` may not, `wide` cannot";
  }
  const SelectionDevice lying{"any", "sm_80", {{"compute_capability", 90}}};
  EXPECT_EQ(choose(model, sample_problem(16, 64), lying).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(model, sample_problem(16, 64)).match, SelectionMatch::kExact);
}

TEST(SelectConfiguration, LimitsThatAreNotGivenAreTheLeastOfTheArchitecture) {
  const SelectionModel model = sample_selection();
  const auto shared = [&](const char* name, const char* arch) {
    return limits_of(model, {name, arch, {}}).at("max_shared").as_integer();
  };
  EXPECT_EQ(shared("NVIDIA A100", "sm_80"), 166912);
  EXPECT_EQ(shared("NVIDIA L40S", "sm_89"), 101376);
  EXPECT_EQ(shared("any", "sm_999"), 49152);
  EXPECT_EQ(limits_of(model, {"NVIDIA H100", "sm_90a", {}}).at("sm_count"), Value(114));
  EXPECT_EQ(limits_of(model, {"NVIDIA H100", "sm_80", {}}).at("sm_count"), Value(4));
  EXPECT_EQ(limits_of(model, {"other", "sm_90a", {}}).at("sm_count"), Value(4));
  EXPECT_EQ(limits_of(model, {"other", "sm_90a", {{"sm_count", 0}}}).at("sm_count"), Value(4));
  EXPECT_EQ(limits_of(model, {"other", "sm_90a", {{"sm_count", 78}}}).at("sm_count"), Value(78));
}

TEST(SelectConfiguration, SizesBeyondAnArgumentsTypeAreRefused) {
  SelectionModel model = sample_selection();
  model.contract.problem[0].max.reset();
  ArgumentSpec rows;
  rows.name = "elements";
  rows.role = ArgumentRole::kValue;
  rows.dtype = "i32";
  rows.value = Expr::parse("rows * K");
  model.contract.arguments = {rows};
  for (VariantSpec& variant : model.contract.variants)
    variant.launches.front().arguments = {"elements"};
  EXPECT_NE(choose(model, sample_problem(67108863, 32)).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(model, sample_problem(67108864, 32)).match, SelectionMatch::kNone);
  model.contract.arguments[0].dtype = "i64";
  EXPECT_NE(choose(model, sample_problem(67108864, 32)).match, SelectionMatch::kNone);
}

TEST(SelectConfiguration, ASizeThatIsCompiledInIsAnIntUnlessTheContractSaysMore) {
  SelectionModel model = sample_selection();
  model.contract.problem[0].max.reset();
  model.contract.problem[0].macro = "ROWS";
  for (VariantSpec& variant : model.contract.variants)
    variant.launches[0].grid = {Expr::literal(1)};
  EXPECT_NE(choose(model, sample_problem(2147483647, 64)).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(model, sample_problem(2147483648, 64)).match, SelectionMatch::kNone);
  model.contract.problem[0].max = 1e12;
  EXPECT_NE(choose(model, sample_problem(2147483648, 64)).match, SelectionMatch::kNone);
}

TEST(SelectConfiguration, ArraysWhoseBytesCannotBeCountedAreRefused) {
  SelectionModel model = sample_selection();
  model.contract.problem[0].max.reset();
  ArgumentSpec x;
  x.name = "x";
  x.dtype = "f32";
  x.shape = {Expr::parse("rows"), Expr::parse("4294967296")};
  model.contract.arguments = {x};
  for (VariantSpec& variant : model.contract.variants) variant.launches[0].arguments = {"x"};
  EXPECT_NE(choose(model, sample_problem(536870911, 64)).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(model, sample_problem(536870912, 64)).match, SelectionMatch::kNone);
}

TEST(SelectConfiguration, GridsAndBlocksBeyondCudasLimitsAreRefused) {
  SelectionModel model = sample_selection();
  model.contract.problem[0].max.reset();
  EXPECT_NE(choose(model, sample_problem(2147483647, 64)).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(model, sample_problem(2147483648, 64)).match, SelectionMatch::kNone);
  model.contract.variants[0].launches[0].grid = {Expr::literal(1), Expr::parse("rows")};
  EXPECT_NE(choose(model, sample_problem(65535, 64)).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(model, sample_problem(65536, 64)).match, SelectionMatch::kNone);
}

TEST(SelectConfiguration, GivenLimitsReplaceTheTunedDevices) {
  const SelectionDevice small{"NVIDIA H200", "sm_90a", {{"max_shared", 4096}}};
  const SelectionDecision decision = choose(sample_selection(), sample_problem(16, 64), small);
  EXPECT_NE(decision.configuration, 1U) << "1024 threads want 8192 bytes";
}

TEST(SelectConfiguration, ProblemsThatTheContractRefusesGetNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::int64_t rows :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{65536},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(choose(sample_selection(), sample_problem(rows, 8)).match, SelectionMatch::kNone)
        << rows;
  }
  EXPECT_EQ(choose(sample_selection(), sample_problem(16, 257)).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(sample_selection(), sample_problem(16, 8, "f64")).match, SelectionMatch::kNone);
  EXPECT_EQ(choose(sample_selection(), sample_problem(16, 8, "f32", 2)).match,
            SelectionMatch::kNone);
  for (const double eps : {nan, infinity, -1e-9}) {
    std::vector<Value> sizes = sample_problem(16, 8);
    sizes[4] = eps;
    EXPECT_EQ(choose(sample_selection(), sizes).match, SelectionMatch::kNone) << eps;
  }
  std::vector<Value> sizes = sample_problem(16, 8);
  sizes[0] = 16.0;
  EXPECT_EQ(choose(sample_selection(), sizes).match, SelectionMatch::kNone) << "a real";
}

TEST(SelectConfiguration, TrafficThatOverflowsIsLeftOutOfTheDistance) {
  SelectionModel model = sample_selection();
  model.contract.problem[0].max.reset();
  model.contract.work.bytes = Expr::parse("rows * rows * rows");
  const SelectionDecision decision = choose(model, sample_problem(2147483647, 32));
  EXPECT_EQ(decision.match, SelectionMatch::kNearestSameDevice);
  EXPECT_NEAR(decision.distance, 31 - std::log2(8193), 1e-6);
}

TEST(SelectConfiguration, AModelWithoutBoardsGivesDefaults) {
  SelectionModel model = sample_selection();
  model.boards.clear();
  model.devices.clear();
  model.fractions.clear();
  model.merits = {{}, {}};
  model.configurations.erase(model.configurations.begin(), model.configurations.begin() + 4);
  EXPECT_EQ(choose(model, sample_problem(16, 8),
                   {"NVIDIA H200", "sm_90a", {{"max_shared", 1 << 20}, {"sm_count", 1}}})
                .match,
            SelectionMatch::kDefault);
}

TEST(SelectConfiguration, OfEqualScoresTheFirstIsTaken) {
  SelectionModel model = sample_selection();
  model.fractions[1] = model.fractions[0] = model.fractions[2];
  EXPECT_EQ(choose(model, sample_problem(20, 16)).configuration, 0U);
}

TEST(Vote, WhatFewProblemsKnowIsDrawnTowardsThePrior) {
  BoardWeights weights;
  weights.boards = {0, 1};
  weights.weights = {0.75, 0.25};
  EXPECT_DOUBLE_EQ(*vote(weights, {1000, 600}), (0.2 * 0.5 + 0.75 + 0.15) / 1.2);
  EXPECT_DOUBLE_EQ(*vote(weights, {kUnknownFraction, 1000}), (0.2 * 0.5 + 0.25) / 0.45);
  EXPECT_FALSE(vote(weights, {kUnknownFraction, kUnknownFraction}));
}

TEST(SameArch, SuffixesDoNotMatter) {
  EXPECT_TRUE(same_arch("sm_90", "sm_90a"));
  EXPECT_TRUE(same_arch("sm_100f", "sm_100a"));
  EXPECT_FALSE(same_arch("sm_90a", "sm_100a"));
  EXPECT_FALSE(same_arch("sm_90a", ""));
}

TEST(SizeScale, HasAPlaceForZeroAndNegatives) {
  EXPECT_EQ(size_scale(0), 0);
  EXPECT_EQ(size_scale(1023), 10);
  EXPECT_EQ(size_scale(-1023), -10);
}

}  // namespace
}  // namespace warpwright
