// Tests the recorded course of a search, and when it has seen enough.
#include <gmock/gmock.h>

#include "sweep/trial_source.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

// Returns a given outlook on the rest.
class Oracle : public Strategy {
 public:
  std::optional<std::uint64_t> ask() override { return std::nullopt; }
  void tell(const Answer&) override {}
  std::optional<Outlook> outlook(double gain) override {
    ++looks;
    asked_gain = gain;
    return rest;
  }
  std::optional<Outlook> rest;
  int looks = 0;
  double asked_gain = 0;
};

SearchWatch::Seen seen(double cost, double seconds, std::optional<double> limit_us = {}) {
  return {true, cost, limit_us, seconds};
}

TEST(SearchWatchTest, KeepsWhenTheBestBecameBetterAndWhoseIdeaItWas) {
  SearchWatch watch("auto", 100, std::nullopt);
  for (const char* asker : {"default", "forest", "forest", "local"}) watch.asked(asker);
  watch.answered("default", seen(20, 1));
  watch.answered("forest", seen(25, 2));
  watch.answered("forest", {false, {}, {}, 3});
  watch.answered("local", seen(15, 4));
  Oracle strategy;
  const SearchCourse course = watch.course(strategy);
  EXPECT_EQ(course.strategy, "auto");
  EXPECT_EQ(course.answered, 4u);
  EXPECT_EQ(course.failed, 1u);
  EXPECT_EQ(course.asked.at("forest"), 2u);
  ASSERT_EQ(course.steps.size(), 2u);
  EXPECT_EQ(course.steps[1], (SearchCourse::Step{4, 4, 15, "local"}));
  EXPECT_DOUBLE_EQ(course.seconds, 4);
  EXPECT_FALSE(course.rest) << "a strategy that cannot tell";
}

TEST(SearchWatchTest, GoesOnWithoutAWordAboutWhatIsEnough) {
  SearchWatch watch("auto", 100, std::nullopt);
  Oracle strategy;
  strategy.rest = Outlook{0, 1};
  for (int i = 0; i < 50; ++i) watch.answered("forest", seen(10, i, 10));
  EXPECT_EQ(watch.enough(strategy), "");
  EXPECT_EQ(strategy.looks, 0);
  const SearchCourse course = watch.course(strategy);
  ASSERT_TRUE(course.rest);
  EXPECT_DOUBLE_EQ(course.rest->gain, kUsualGain) << "the default gain is used";
}

TEST(SearchWatchTest, EndsWhenAnotherGainIsUnlikelyAndLooksNowAndThenOnly) {
  SearchWatch watch("auto", 1000, 0.03);
  Oracle strategy;
  strategy.rest = Outlook{0.2, 9.9};
  for (int i = 0; i < 100; ++i) {
    watch.answered("forest", seen(10, i));
    EXPECT_EQ(watch.enough(strategy), "");
  }
  EXPECT_DOUBLE_EQ(strategy.asked_gain, 0.03);
  EXPECT_GT(strategy.looks, 10);
  EXPECT_LT(strategy.looks, 50);
  strategy.rest->chance = 0.01;
  for (int i = 0; i < 12; ++i) watch.answered("forest", seen(10, 100));
  EXPECT_THAT(watch.enough(strategy), HasSubstr("the chance of another 3 % is 1 %"));
}

TEST(SearchWatchTest, EndsNearTheLimitWhateverTheStrategyThinks) {
  SearchWatch watch("auto", 1000, 0.03);
  Oracle strategy;
  strategy.rest = Outlook{1, 5};
  watch.answered("forest", seen(104, 1, 100));
  EXPECT_EQ(watch.enough(strategy), "");
  watch.answered("forest", seen(102, 2, 100));
  EXPECT_THAT(watch.enough(strategy), HasSubstr("within 2 % of the device's limit, 100 µs"));
}

}  // namespace
}  // namespace warpwright::testing
