// Comparisons in blocks ABBA, and the figures that A/A and slowdown derive from them.
#include "harness/selftest/gate_runs.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/error.h"
#include "harness/known_device.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

GateRuns runs_of(double slowdown, double noise, int runs) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(1, noise);
  const auto blocks = [&](double ratio) {
    std::vector<AbbaBlock> list;
    for (int i = 0; i < 20; ++i) list.push_back({50 * normal(random), 50 * ratio * normal(random)});
    return list;
  };
  GateRuns result;
  result.kernel = "spin";
  result.true_slowdown = slowdown;
  result.noise_blocks = blocks(1);
  for (int i = 0; i < runs; ++i) result.runs.push_back(blocks(1 + slowdown));
  return result;
}

// Records its turns; each takes the time that the test sets.
class TurnPlan : public TimingPlan {
 public:
  TurnPlan(std::string& turns, char name, double us) : turns_(turns), name_(name), us_(us) {}
  Samples take(int samples, std::chrono::milliseconds) override {
    turns_ += name_;
    Samples taken;
    taken.floor_us = 3;
    taken.elapsed_us.assign(static_cast<std::size_t>(samples), us_ + 3);
    return taken;
  }

 private:
  std::string& turns_;
  char name_;
  double us_;
};

TEST(AbbaBlocks, AreTakenInThatOrder) {
  FakeDevice device;
  std::string turns;
  TurnPlan baseline(turns, 'A', 50);
  TurnPlan candidate(turns, 'B', 52);
  const auto blocks = abba_blocks_or_throw(device, baseline, candidate, 50, 2);
  EXPECT_EQ(turns, "ABBAABBA");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_NEAR(blocks[0].baseline_us, 50, 1e-9);
  EXPECT_NEAR(blocks[0].candidate_us, 52, 1e-9);
}

TEST(AbbaBlocks, ADeviceThatIsNotSteadyIsAnError) {
  FakeDevice device;
  for (int i = 0; i < 400; ++i)
    device.states.push_back({i % 2 == 0 ? 1980 : 1400, 3201, 0, 0, {}, {}, 0});
  std::string turns;
  TurnPlan plan(turns, 'A', 50);
  EXPECT_THAT(error_text([&] { (void)abba_blocks_or_throw(device, plan, plan, 50, 20); }),
              HasSubstr("blocks of samples were disturbed"));
}

TEST(Aa, AnEqualPairRaisesNoAlarm) {
  const Figure figure = aa_figure({runs_of(0, 0.003, 50), runs_of(0, 0.005, 50)});
  EXPECT_DOUBLE_EQ(figure.value, 0);
  EXPECT_TRUE(figure.passed());
  EXPECT_THAT(figure.detail, HasSubstr("of 100"));
}

TEST(Aa, ADifferenceInEitherDirectionIsAnAlarm) {
  const Figure figure = aa_figure({runs_of(0.1, 0.003, 10), runs_of(-0.1, 0.003, 10)});
  EXPECT_DOUBLE_EQ(figure.value, 100);
  EXPECT_FALSE(figure.passed());
  EXPECT_THAT(figure.detail, HasSubstr("10 regressions, 10 improvements"));
}

TEST(Aa, NothingComparedProvesNothing) { EXPECT_FALSE(aa_figure({}).passed()); }

TEST(Slowdown, OfFivePerCentIsCaught) {
  GateRuns runs = runs_of(0.05, 0.003, 100);
  runs.slower_permille = 50;
  const Figure figure = slowdown_figure(runs);
  EXPECT_TRUE(figure.passed()) << figure.value;
  EXPECT_EQ(figure.name, "5 % slower, caught");
  EXPECT_EQ(figure.target.text("%"), ">= 99 %");
  EXPECT_THAT(figure.detail, HasSubstr("really 5.00 % slower"));
}

TEST(Slowdown, ThatHidesInNoiseIsMissed) {
  GateRuns runs = runs_of(0.03, 0.02, 100);
  runs.slower_permille = 30;
  EXPECT_FALSE(slowdown_figure(runs).passed());
}

TEST(GateRuns, OnAKnownDeviceFindTheInjectedSlowdown) {
  KnownBench known;
  const GateRuns runs = run_gate(known.bench, "spin", 3, 50);
  EXPECT_NEAR(runs.true_slowdown, 0.05, 1e-3);
  EXPECT_EQ(runs.noise_blocks.size(), 20u);
  EXPECT_EQ(judge(runs).regressions, 3u);
}

TEST(GateRuns, OnAKnownDeviceAKernelEqualsItself) {
  KnownBench known;
  const GateRuns runs = run_gate(known.bench, "spin", 3, 0);
  EXPECT_DOUBLE_EQ(runs.true_slowdown, 0);
  EXPECT_EQ(judge(runs).regressions + judge(runs).improvements, 0u);
}

TEST(GateRuns, CrossThePipeWhole) {
  const nlohmann::json json = runs_of(0.05, 0.01, 2);
  EXPECT_EQ(nlohmann::json(json.get<GateRuns>()), json);
}

TEST(Sections, AaAsksForBothKernelsAndSlowdownForBothAndEachShare) {
  std::vector<std::string> asked;
  Workers workers;
  workers.ask = [&](const nlohmann::json& task) {
    asked.push_back(task.at("kernel").get<std::string>() + " " + task.at("slower_permille").dump() +
                    " x" + task.at("runs").dump());
    GateRuns runs = runs_of(task.at("slower_permille").get<double>() / 1000, 0.003, 2);
    runs.slower_permille = task.at("slower_permille").get<int>();
    return nlohmann::json(runs);
  };
  EXPECT_EQ(run_aa(workers, 200).figures.size(), 1u);
  EXPECT_THAT(asked, ::testing::ElementsAre("spin 0 x100", "stream 0 x100"));
  asked.clear();
  EXPECT_EQ(run_slowdown(workers, 100).figures.size(), 4u);
  EXPECT_THAT(asked, ::testing::ElementsAre("spin 30 x100", "stream 30 x100", "spin 50 x100",
                                            "stream 50 x100"));
}

}  // namespace
}  // namespace warpwright::testing
