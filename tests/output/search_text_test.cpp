// The course of a search, in words and as stored.
#include "output/text/search_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

SearchCourse course() {
  SearchCourse course;
  course.fingerprint = "f";
  course.problem_text = "n=8";
  course.strategy = "auto";
  course.space = 2147;
  course.answered = 70;
  course.failed = 2;
  course.asked = {{"forest", 40}, {"spread", 14}, {"local", 14}, {"default", 2}};
  course.steps = {{1, 0.5, 612, "default"}, {52, 24.13, 399.61, "forest"}};
  course.seconds = 31.4;
  course.ended = "budget";
  course.rest = SearchCourse::Rest{0.01, 0.043, 401};
  return course;
}

TEST(SearchTextTest, SaysWhoTriedWhatWhenTheBestWasMetAndWhetherMorePays) {
  EXPECT_EQ(
      search_text(course()),
      "auto asked 70 of 2147 in 31.4 s (2 failed or pruned): forest 40, local 14, spread 14, "
      "default 2; its best, 399.6 µs, is from forest, answer 52 after 24.1 s\n"
      "  the rest: better by another 1 % with a chance of 4.3 %, its best likely 401 µs; more "
      "budget is unlikely to pay\n");
}

TEST(SearchTextTest, SaysWhyItEndedByItself) {
  SearchCourse one = course();
  one.ended = "the chance of another 3 % is 2 %";
  EXPECT_THAT(search_text(one), HasSubstr("it ended by itself: the chance of another 3 % is 2 %"));
  one.rest->chance = 0.3;
  EXPECT_THAT(search_text(one), HasSubstr("more budget may pay"));
  one.rest->chance = 0.7;
  EXPECT_THAT(search_text(one), HasSubstr("more budget is likely to pay"));
}

TEST(SearchTextTest, TimesOfAModelSaySo) {
  EXPECT_THAT(search_text(course(), true),
              HasSubstr("its best, 399.6 µs modelled, is from forest"));
  EXPECT_THAT(search_text(course(), true), HasSubstr("its best likely 401 µs modelled;"));
}

TEST(SearchTextTest, OtherObjectivesHaveTheirNameAndSign) {
  SearchCourse one = course();
  one.objective = "gflops";
  one.maximize = true;
  one.steps = {{3, 1, -512, "random"}};
  one.rest.reset();
  EXPECT_THAT(search_text(one), HasSubstr("its best, 512 of gflops, is from random"));
}

TEST(SearchCourseTest, IsKeptWhole) {
  EXPECT_EQ(nlohmann::json(course()).get<SearchCourse>(), course());
  SearchCourse bare;
  bare.limit_us = 3;
  EXPECT_EQ(nlohmann::json(bare).get<SearchCourse>(), bare);
  EXPECT_FALSE(nlohmann::json(SearchCourse()).contains("rest"));
}

}  // namespace
}  // namespace warpwright::testing
