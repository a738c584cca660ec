#include <gtest/gtest.h>

#include "exchange/t4/t4_values.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

T4Result result_with(std::vector<T4Measurement> measurements, std::vector<std::string> objectives) {
  T4Result result;
  result.measurements = std::move(measurements);
  result.objectives = std::move(objectives);
  return result;
}

TEST(T4Time, TheUnitIsThatOfTheMetadata) {
  T4File file;
  file.metadata = {{"timeunit", "nanoseconds"}};
  EXPECT_EQ(time_unit_of(file, "x").microseconds, 1e-3);
  EXPECT_FALSE(time_unit_of(file, "x").assumed);
}

TEST(T4Time, WithoutAUnitMillisecondsAreAssumed) {
  T4File file;
  file.metadata = nlohmann::json::object();
  EXPECT_EQ(time_unit_of(file, "x").microseconds, 1e3);
  EXPECT_TRUE(time_unit_of(file, "x").assumed);
}

TEST(T4Time, AnUnknownUnitIsRefused) {
  T4File file;
  file.metadata = {{"timeunit", "fortnights"}};
  EXPECT_EQ(error_text([&] { static_cast<void>(time_unit_of(file, "x.json")); }),
            "x.json: metadata.timeunit: unknown unit 'fortnights'; known: seconds, milliseconds, "
            "microseconds, nanoseconds");
}

TEST(T4Time, TheFirstObjectiveIsTheTimeWhenItIsOne) {
  const T4Result result =
      result_with({{"time", "", 1.0, ""}, {"kernel_s", "s", 0.5, ""}}, {"kernel_s"});
  EXPECT_EQ(published_us(result, {1e3, false}), 0.5e6);
}

TEST(T4Time, AnObjectiveThatIsNoTimeLeavesTheMeasurementOfThatName) {
  const T4Result result =
      result_with({{"GFLOP/s", "GFLOP/s", 900.0, ""}, {"time", "", 2.0, ""}}, {"GFLOP/s"});
  EXPECT_EQ(published_us(result, {1e3, false}), 2e3);
}

TEST(T4Time, WhatStandsForAFailureIsNoTime) {
  for (const double value : {0.0, -1.0, 1e20}) {
    EXPECT_EQ(published_us(result_with({{"time", "", value, ""}}, {"time"}), {1e3, false}),
              std::nullopt);
  }
  EXPECT_EQ(published_us(result_with({}, {"time"}), {1e3, false}), std::nullopt);
}

TEST(T4Time, TimestampsBecomeUtc) {
  EXPECT_EQ(utc_of_timestamp("2023-12-22 09:54:05.502007+00:00"), "2023-12-22T09:54:05Z");
  EXPECT_EQ(utc_of_timestamp("2023-12-31 23:30:00-01:00"), "2024-01-01T00:30:00Z");
  EXPECT_EQ(utc_of_timestamp("2024-03-01T00:15:00+0530"), "2024-02-29T18:45:00Z");
  EXPECT_EQ(utc_of_timestamp("2024-05-01T10:00:00Z"), "2024-05-01T10:00:00Z");
  EXPECT_EQ(utc_of_timestamp("2024-05-01 10:00:00"), "2024-05-01T10:00:00Z");
}

TEST(T4Time, WhatIsNoTimestampGivesNone) {
  for (const char* text :
       {"", "yesterday", "1703238845.5", "2023-13-01 00:00:00", "2023-02-29 00:00:00",
        "2023-01-01 24:00:00", "2023-01-01 00:00:00 CET", "2023-01-01 00:00:00+01:00x"}) {
    EXPECT_EQ(utc_of_timestamp(text), "") << text;
  }
}

}  // namespace
}  // namespace warpwright::testing
