// Which values meet a target, and the format of figures.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/selftest/section.h"

namespace warpwright {
namespace {

TEST(Target, LimitsThemselvesAreMet) {
  EXPECT_TRUE(Target::at_most(0.15).met_by(0.15));
  EXPECT_FALSE(Target::at_most(0.15).met_by(0.1501));
  EXPECT_TRUE(Target::at_least(98).met_by(98));
  EXPECT_FALSE(Target::at_least(98).met_by(97.9));
  EXPECT_TRUE(Target::between(93, 97).met_by(93));
  EXPECT_FALSE(Target::between(93, 97).met_by(97.01));
}

TEST(Target, WhatCouldNotBeHadMeetsNothing) {
  const double none = std::nan("");
  EXPECT_FALSE(Target::at_most(1).met_by(none));
  EXPECT_FALSE(Target::at_least(1).met_by(none));
  EXPECT_FALSE(Target::at_least(1).met_by(INFINITY));
}

TEST(Target, IsWrittenWithItsUnit) {
  EXPECT_EQ(Target::at_most(0.15).text("us"), "<= 0.15 us");
  EXPECT_EQ(Target::at_least(98).text("%"), ">= 98 %");
  EXPECT_EQ(Target::between(93, 97).text("%"), "93 to 97 %");
  EXPECT_EQ(Target::at_least(50).text(""), ">= 50");
  EXPECT_EQ(Target::none().text("us"), "");
}

TEST(Figure, WithoutATargetItPassesWhateverItIs) {
  Figure figure;
  EXPECT_TRUE(figure.passed());
  figure.target = Target::at_most(1);
  EXPECT_FALSE(figure.passed());
}

TEST(Figure, AsJsonNothingIsNotANumber) {
  const Figure figure{"bias", "reported - truth",    "5 us", std::nan(""),
                      "us",   Target::at_most(0.15), "why"};
  const nlohmann::json json = figure;
  EXPECT_EQ(json.dump(),
            R"({"detail":"why","name":"reported - truth","passed":false,"section":"bias",)"
            R"("size":"5 us","target":{"high":0.15,"low":null},"unit":"us","value":null})");
}

TEST(Figure, ValuesKeepFourDigits) {
  EXPECT_EQ(format_value(0.0123456, "us"), "0.01235 us");
  EXPECT_EQ(format_value(201, ""), "201");
  EXPECT_EQ(format_value(std::nan(""), "%"), "n/a");
}

}  // namespace
}  // namespace warpwright
