#include "terminal/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpwright {
namespace {

TEST(FormatUs, DecimalsFollowTheMagnitude) {
  EXPECT_EQ(format_us(0), "0.000");
  EXPECT_EQ(format_us(0.25), "0.250");
  EXPECT_EQ(format_us(4.49), "4.49");
  EXPECT_EQ(format_us(49.41), "49.41");
  EXPECT_EQ(format_us(372.1), "372.1");
  EXPECT_EQ(format_us(6258.4), "6,258");
  EXPECT_EQ(format_us(12345), "12,345");
  EXPECT_EQ(format_us(1234567.8), "1,234,568");
}

TEST(FormatUs, RoundingNeverAddsADigit) {
  EXPECT_EQ(format_us(0.99949), "0.999");
  EXPECT_EQ(format_us(0.9996), "1.00");
  EXPECT_EQ(format_us(99.994), "99.99");
  EXPECT_EQ(format_us(99.996), "100.0");
  EXPECT_EQ(format_us(999.94), "999.9");
  EXPECT_EQ(format_us(999.96), "1,000");
}

TEST(FormatUs, WhatIsNoNumber) {
  EXPECT_EQ(format_us(std::nan("")), "n/a");
  EXPECT_EQ(format_us(HUGE_VAL), "n/a");
}

TEST(FormatThousands, GroupsByThree) {
  EXPECT_EQ(format_thousands(0), "0");
  EXPECT_EQ(format_thousands(999), "999");
  EXPECT_EQ(format_thousands(1000), "1,000");
  EXPECT_EQ(format_thousands(-1234567), "-1,234,567");
}

TEST(FormatDuration, ChoosesTheUnits) {
  EXPECT_EQ(format_duration(0), "0 s");
  EXPECT_EQ(format_duration(-1), "0 s");
  EXPECT_EQ(format_duration(0.85), "0.85 s");
  EXPECT_EQ(format_duration(3.24), "3.2 s");
  EXPECT_EQ(format_duration(4), "4 s");
  EXPECT_EQ(format_duration(41.4), "41 s");
  EXPECT_EQ(format_duration(59.7), "1 min 0 s");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(3599.9), "1 h 0 min");
  EXPECT_EQ(format_duration(7500), "2 h 5 min");
}

}  // namespace
}  // namespace warpwright
