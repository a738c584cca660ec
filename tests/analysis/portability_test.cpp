#include <gtest/gtest.h>

#include <array>

#include "analysis/compare/transfer.h"
#include "analysis/sample_contenders.h"

namespace warpwright {
namespace {

using testing::boards_of;
using testing::contender_of;
using testing::gpu;
using testing::RowMaker;
using Efficiency = std::optional<double>;

TEST(PerformancePortability, IsTheHarmonicMean) {
  EXPECT_DOUBLE_EQ(performance_portability(std::array<Efficiency, 2>{1.0, 0.5}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(performance_portability(std::array<Efficiency, 3>{0.5, 0.25, 1.0}), 3.0 / 7);
  EXPECT_DOUBLE_EQ(performance_portability(std::array<Efficiency, 1>{0.4}), 0.4);
}

TEST(PerformancePortability, IsZeroWhereOnePlatformFailsOrThereIsNone) {
  EXPECT_EQ(performance_portability(std::array<Efficiency, 2>{1.0, std::nullopt}), 0);
  EXPECT_EQ(performance_portability(std::array<Efficiency, 2>{1.0, 0.0}), 0);
  EXPECT_EQ(performance_portability({}), 0);
}

TEST(Portability, RanksConfigurationsThatAllContendersTried) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const Portability result = portability(
      boards_of({contender_of("A", a,
                              {a.ok("v", "X=1", 100), a.ok("v", "X=2", 125), a.ok("v", "X=3", 200),
                               a.ok("v", "X=4", 101), a.ok("v", "X=5", 102)}),
                 contender_of("B", b,
                              {b.ok("v", "X=1", 80), b.ok("v", "X=2", 40), b.ok("v", "X=3", 400),
                               b.failed("v", "X=4", Status::kLaunchFailed, "shared memory"),
                               b.failed("v", "X=6", Status::kInvalid, "")})}));
  ASSERT_EQ(result.configurations.size(), 4u);
  const PortableConfiguration& best = *result.best();
  EXPECT_EQ(best.configuration, "v X=2");
  EXPECT_DOUBLE_EQ(*best.efficiencies[0], 0.8);
  EXPECT_DOUBLE_EQ(*best.efficiencies[1], 1);
  EXPECT_DOUBLE_EQ(best.value, 2 / (1 / 0.8 + 1));
  EXPECT_EQ(result.configurations[1].configuration, "v X=1");
  EXPECT_DOUBLE_EQ(result.configurations[1].value, 2 / (1 + 1 / 0.5));
  EXPECT_EQ(result.configurations[2].configuration, "v X=3");
  EXPECT_DOUBLE_EQ(result.configurations[2].value, 2 / (1 / 0.5 + 1 / 0.1));
  EXPECT_EQ(result.configurations[3].configuration, "v X=4");
  EXPECT_EQ(result.configurations[3].value, 0);
  EXPECT_FALSE(result.configurations[3].efficiencies[1]);
  EXPECT_EQ(result.failing, 1u);
}

TEST(Portability, APrunedConfigurationHasABoundAndNeverWins) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  Database::TrialRow pruned = b.failed("v", "X=2", Status::kPruned, "stopped early");
  pruned.trial.at_least_us = 125;
  const Portability result =
      portability(boards_of({contender_of("A", a, {a.ok("v", "X=1", 200), a.ok("v", "X=2", 100)}),
                             contender_of("B", b, {b.ok("v", "X=1", 100), pruned})}));
  EXPECT_EQ(result.best()->configuration, "v X=1");
  EXPECT_DOUBLE_EQ(result.best()->value, 2 / (1 + 1 / 0.5));
  EXPECT_TRUE(result.configurations[1].at_most);
  EXPECT_DOUBLE_EQ(result.configurations[1].value, 2 / (1 + 1 / 0.8));
  EXPECT_EQ(result.open(), 1u);
}

TEST(Portability, SaysNothingOfWhatIsNoisySomewhere) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const Portability result =
      portability(boards_of({contender_of("A", a, {a.ok("v", "X=1", 100)}),
                             contender_of("B", b, {b.failed("v", "X=1", Status::kNoisy, "")})}));
  EXPECT_TRUE(result.configurations.empty());
  EXPECT_EQ(result.best(), nullptr);
}

TEST(Portability, IsOverTheContendersThatTriedTheProblem) {
  RowMaker a = gpu("cuda:0", "A"), c = gpu("cuda:2", "C");
  const Portability result =
      portability(boards_of({contender_of("A", a, {a.ok("v", "X=1", 100)}), Contender{},
                             contender_of("C", c, {c.ok("v", "X=1", 50)})}));
  EXPECT_EQ(result.platforms, (std::vector<std::size_t>{0, 2}));
  EXPECT_DOUBLE_EQ(result.best()->value, 1);
}

TEST(Portability, WhereEverythingFailsOnOneContenderAllIsZero) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const Portability result = portability(
      boards_of({contender_of("A", a, {a.ok("v", "X=1", 100)}),
                 contender_of("B", b, {b.failed("v", "X=1", Status::kCompileFailed, "error")})}));
  EXPECT_EQ(result.best(), nullptr);
  EXPECT_EQ(result.failing, 1u);
  EXPECT_EQ(result.open(), 0u);
}

TEST(Portability, NoContendersAreNoPlatforms) {
  EXPECT_TRUE(portability({}).platforms.empty());
  EXPECT_TRUE(portability({nullptr}).configurations.empty());
}

}  // namespace
}  // namespace warpwright
