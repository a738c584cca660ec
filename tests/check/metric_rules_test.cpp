// Tests which growth counts, and how it is described.
#include "check/metric_rules.h"

#include <gmock/gmock.h>

#include "core/error.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> changes(const Metrics& before, const Metrics& after,
                                 const MetricRules& rules = {}) {
  std::vector<std::string> texts;
  for (const MetricChange& change : changed_metrics(before, after, rules))
    texts.push_back(describe_change(change));
  return texts;
}

Metrics counters(std::int64_t instructions, std::int64_t integer) {
  return {{{"", "warp_instructions"}, instructions}, {{"", "integer"}, integer}};
}

TEST(MetricRules, EqualFiguresAreNoChange) {
  EXPECT_THAT(changes(counters(1000, 400), counters(1000, 400)), IsEmpty());
  EXPECT_THAT(changes({}, {}), IsEmpty());
}

TEST(MetricRules, GrowthUpToTheThresholdIsAllowed) {
  EXPECT_THAT(changes(counters(1000, 0), counters(1020, 0)), IsEmpty());
  EXPECT_THAT(changes(counters(1000, 0), counters(1021, 0)),
              ElementsAre("warp_instructions 1,000 -> 1,021 (+2.1 %)"));
}

TEST(MetricRules, AClassMustAlsoMatterAmongAllInstructions) {
  EXPECT_THAT(changes(counters(10000, 10), counters(10100, 110)), IsEmpty());
  EXPECT_THAT(changes(counters(10000, 10), counters(10100, 111)),
              ElementsAre("integer 10 -> 111 (+1010 %)"));
}

TEST(MetricRules, AnySpillCounts) {
  EXPECT_THAT(changes({{{"k", "spill_loads"}, 0}}, {{{"k", "spill_loads"}, 4}}),
              ElementsAre("spill_loads of 'k' 0 -> 4 bytes a thread"));
}

TEST(MetricRules, LessIsAChangeAsWell) {
  const auto found = changed_metrics(counters(1000, 0), counters(500, 0), {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].grew());
  EXPECT_EQ(describe_change(found[0]), "warp_instructions 1,000 -> 500 (-50 %)");
}

TEST(MetricRules, AMetricThatOnlyOneSideHasCountsFromNothing) {
  EXPECT_THAT(changes({}, {{{"new_kernel", "registers"}, 33}}),
              ElementsAre("registers of 'new_kernel' 0 -> 33"));
}

TEST(MetricRules, RegistersThatLimitNothingDoNotCount) {
  const auto registers = [](std::int64_t count) { return Metrics{{{"k", "registers"}, count}}; };
  EXPECT_THAT(changes(registers(12), registers(32)), IsEmpty());
  EXPECT_THAT(changes(registers(32), registers(12)), IsEmpty());
  EXPECT_THAT(changes(registers(32), registers(36)), SizeIs(1));
  EXPECT_THAT(changes(registers(40), registers(44)), IsEmpty()) << "10 %";
  MetricRules strict;
  strict.set("registers=0%");
  EXPECT_THAT(changes(registers(12), registers(13), strict), SizeIs(1));
}

TEST(MetricRules, WhatNoRuleNamesIsNotJudged) {
  EXPECT_THAT(changes({{{"", "blocks"}, 1}}, {{{"", "blocks"}, 1000}}), IsEmpty());
}

TEST(MetricRules, HugeFiguresDoNotOverflow) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 60;
  EXPECT_THAT(changes(counters(kHuge, 0), counters(2 * kHuge, 0)), SizeIs(1));
}

TEST(MetricRules, AThresholdIsSetByName) {
  MetricRules rules;
  rules.set("warp_instructions=50%");
  EXPECT_THAT(changes(counters(1000, 0), counters(1500, 0), rules), IsEmpty());
  rules.set("warp_instructions=0%");
  EXPECT_THAT(changes(counters(1000, 0), counters(1001, 0), rules), SizeIs(1));
  rules.set("warp_instructions=off");
  EXPECT_THAT(changes(counters(1000, 0), counters(9000, 0), rules), IsEmpty());
}

TEST(MetricRules, ANamedThresholdReplacesTheOtherAllowances) {
  MetricRules rules;
  rules.set("integer=10%");
  EXPECT_THAT(changes(counters(10000, 10), counters(10000, 12), rules), SizeIs(1));
}

TEST(MetricRules, TheLeastSlowdownIsSetByTime) {
  MetricRules rules;
  EXPECT_DOUBLE_EQ(rules.least_slowdown(), 0.02);
  rules.set("time=3.5 %");
  EXPECT_DOUBLE_EQ(rules.least_slowdown(), 0.035);
}

TEST(MetricRules, MistakesAreNamedToTheLetter) {
  const auto message = [](const char* text) {
    return error_text([&] { MetricRules().set(text); });
  };
  EXPECT_EQ(message("registrs=5%"),
            "--threshold registrs=5%: unknown metric 'registrs'; did you mean 'registers'?");
  for (const char* wrong :
       {"registers", "registers=", "registers=5", "registers=-1%", "registers=nan%",
        "registers=inf%", "registers=1e9%", "=5%", "5%", "registers=5%%", "registers= off"}) {
    EXPECT_EQ(message(wrong), std::string("--threshold ") + wrong +
                                  ": expected NAME=PERCENT such as registers=10%, or NAME=off");
  }
  EXPECT_EQ(message("time=off"),
            "--threshold time=off: expected a slowdown above 0 % that counts, such as time=3%");
  EXPECT_EQ(message("time=0%"),
            "--threshold time=0%: expected a slowdown above 0 % that counts, such as time=3%");
}

}  // namespace
}  // namespace warpwright::testing
