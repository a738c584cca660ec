#include "replay/replay.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "replay/replay_text.h"
#include "replay/sample_recordings.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::line_of;
using testing::small_recording;

std::vector<Recording> two_recordings() {
  std::vector<Recording> recordings;
  recordings.push_back(small_recording());
  recordings.push_back(line_of({5, 4, 3, 2, 1, 6, 7, 0, 9, 10, 11, 12}));
  return recordings;
}

ReplayPlan small_plan(std::size_t threads) {
  ReplayPlan plan;
  plan.strategies = {{"random"}, {"exhaustive"}};
  plan.budgets = {2, 4};
  plan.repeats = 20;
  plan.threads = threads;
  return plan;
}

TEST(Replay, DoesNotDependOnTheNumberOfThreads) {
  const std::vector<Recording> recordings = two_recordings();
  const auto traces = [&](std::size_t threads) {
    const ReplayPlan plan = small_plan(threads);
    return replay_traces(recordings, plan, replay(recordings, plan));
  };
  const std::string alone = traces(1);
  EXPECT_EQ(traces(2), alone);
  EXPECT_EQ(traces(7), alone);
}

TEST(Replay, EveryRunHasItsSeed) {
  const std::vector<Recording> recordings = two_recordings();
  ReplayPlan plan = small_plan(2);
  plan.seed = 5;
  const ReplayResults all = replay(recordings, plan);
  plan.seed = 9;
  plan.repeats = 1;
  const ReplayResults one = replay(recordings, plan);
  EXPECT_EQ(one.runs(1, 0, 1)[0].evaluated, all.runs(1, 0, 1)[4].evaluated);
  EXPECT_NE(all.runs(1, 0, 1)[4].evaluated, all.runs(1, 0, 1)[5].evaluated);
}

TEST(Replay, SaysHowManyRunsHaveEnded) {
  std::size_t last = 0, total = 0;
  ReplayWatch watch;
  watch.progress = [&](std::size_t done, std::size_t of) {
    last = done;
    total = of;
  };
  (void)replay(two_recordings(), small_plan(2), watch);
  EXPECT_EQ(total, 2U * 2 * 2 * 20);
  EXPECT_EQ(last, total);
}

TEST(Replay, AWrongOptionEndsItBeforeTheFirstRun) {
  ReplayPlan plan = small_plan(2);
  plan.strategies[0].values["population"] = 3;
  EXPECT_EQ(error_text([&] { (void)replay(two_recordings(), plan); }),
            "strategy 'random' has no option 'population'; it takes none");
}

TEST(StrategiesOf, AllIsEveryOneButExhaustive) {
  std::vector<std::string> names;
  for (const ReplayStrategy& strategy : strategies_of({"all"}, {})) names.push_back(strategy.name);
  EXPECT_EQ(names.size() + 1, strategy_names().size());
  EXPECT_EQ(std::find(names.begin(), names.end(), "exhaustive"), names.end());
}

TEST(StrategiesOf, EachComesOnce) {
  EXPECT_EQ(strategies_of({"random", "exhaustive", "random"}, {}).size(), 2U);
}

TEST(StrategiesOf, SettingsGoToTheirStrategy) {
  const std::vector<ReplayStrategy> strategies = strategies_of(
      {"random", "exhaustive"},
      {"random.population=30", "random.rate=0.5", "exhaustive.order=a.b=c", "random.fast=true"});
  EXPECT_EQ(strategies[0].values,
            (std::map<std::string, Value>{{"population", 30}, {"rate", 0.5}, {"fast", true}}));
  EXPECT_EQ(strategies[1].values, (std::map<std::string, Value>{{"order", "a.b=c"}}));
}

TEST(StrategiesOf, UnknownNamesAndFormsAreRefused) {
  EXPECT_EQ(error_text([] { (void)strategies_of({"randm"}, {}); }),
            "--strategy: unknown strategy 'randm'; did you mean 'random'?");
  EXPECT_EQ(error_text([] { (void)strategies_of({"random"}, {"randm.x=1"}); }),
            "--set randm.x=1: 'randm' is not a strategy of this replay; did you mean 'random'?");
  for (const std::string setting :
       {"population=30", "random.=3", "random.x", "random.x=", ".x=1"}) {
    EXPECT_EQ(error_text([&] { (void)strategies_of({"random"}, {setting}); }),
              "--set " + setting +
                  ": expected STRATEGY.OPTION=VALUE; for example --set genetic.population=30");
  }
}

TEST(CheckRuns, TooManyAreRefused) {
  ReplayPlan plan = small_plan(1);
  plan.repeats = 1'000'000;
  EXPECT_EQ(error_text([&] { check_runs(2, plan); }),
            "8000000 runs (2 x 2 x 2 x 1000000: recordings, strategies, budgets, repeats), "
            "expected at most 2000000; lower --repeats");
}

TEST(ReplayTraces, AreLinesOfValuesInTheOrderOfTheParameters) {
  std::vector<Recording> recordings;
  recordings.push_back(small_recording());
  ReplayPlan plan;
  plan.strategies = {{"exhaustive"}};
  plan.budgets = {3};
  plan.repeats = 2;
  plan.seed = 7;
  EXPECT_EQ(replay_traces(recordings, plan, replay(recordings, plan)),
            "{\"budget\":3,\"pair\":\"blur-X100\",\"seed\":7,\"strategy\":\"exhaustive\","
            "\"evaluations\":[[4,1],[4,2],[8,1]]}\n"
            "{\"budget\":3,\"pair\":\"blur-X100\",\"seed\":8,\"strategy\":\"exhaustive\","
            "\"evaluations\":[[4,1],[4,2],[8,1]]}\n");
}

TEST(ReplayTraces, SayWhatTheirRunsEvaluated) {
  const std::vector<Recording> recordings = two_recordings();
  const ReplayPlan plan = small_plan(2);
  const ReplayResults results = replay(recordings, plan);
  std::istringstream lines(replay_traces(recordings, plan, results));
  std::string line;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t s = 0; s < 2; ++s) {
      for (std::size_t b = 0; b < 2; ++b) {
        for (const ReplayRun& run : results.runs(i, s, b)) {
          ASSERT_TRUE(std::getline(lines, line));
          const nlohmann::json evaluations = nlohmann::json::parse(line)["evaluations"];
          ASSERT_EQ(evaluations.size(), run.evaluated.size());
          for (std::size_t at = 0; at < run.evaluated.size(); ++at)
            EXPECT_EQ(evaluations[at], nlohmann::json(recordings[i].values_at(run.evaluated[at])));
        }
      }
    }
  }
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace warpwright
