// One process's report, on a device that takes known times.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/known_device.h"
#include "harness/selftest/timers.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

TEST(TimerReport, TheTruthIsStepsTimesTheSlopeOfLongRuns) {
  KnownBench known;
  const TimerReport report = report_timer(known.bench, "spin", 50, std::nullopt);
  EXPECT_NEAR(static_cast<double>(report.size), 50 / KnownDevice::kStepUs, 1);
  ASSERT_TRUE(report.truth_us);
  EXPECT_NEAR(*report.truth_us, static_cast<double>(report.size) * KnownDevice::kStepUs, 0.1);
  EXPECT_EQ(report.step_us.size(), 11u);
}

TEST(TimerReport, AShortSpinIsReportedByItsSlope) {
  KnownBench known;
  const TimerReport report = report_timer(known.bench, "spin", 5, std::nullopt);
  ASSERT_TRUE(report.slope);
  EXPECT_EQ(report.reported().protocol, "slope-graph-1");
  EXPECT_NEAR(report.reported().value_us, 5, 0.02);
  EXPECT_EQ(report.cold.protocol, "cold-graph-1");
  EXPECT_NEAR(report.cold.value_us, 5, 0.02);
  EXPECT_NEAR(report.cold.raw_us, 5 + KnownDevice::kColdFloorUs, 0.02);
}

TEST(TimerReport, AnythingElseIsReportedCold) {
  KnownBench known;
  EXPECT_FALSE(report_timer(known.bench, "spin", 50, std::nullopt).slope);
  const TimerReport stream = report_timer(known.bench, "stream", 10, 64);
  EXPECT_FALSE(stream.slope);
  EXPECT_FALSE(stream.truth_us);
  EXPECT_NEAR(stream.reported().value_us, 64 * 1024 * 8 / KnownDevice::kBytesPerUs, 0.01);
}

TEST(TimerReport, ATimerThatAddsSomethingIsFoundOut) {
  KnownBench known;
  known.device.bias = 0.3;
  const TimerReport report = report_timer(known.bench, "spin", 50, std::nullopt);
  EXPECT_NEAR(report.reported().value_us - *report.truth_us, 0.3, 0.05);
}

TEST(TimerReport, TheWallTimeEndsWhereTheIntervalIsNarrow) {
  KnownBench known;
  const TimerReport report = report_timer(known.bench, "spin", 50, std::nullopt);
  EXPECT_EQ(report.wall_samples, 10);
  EXPECT_LE(report.wall_half_width, kWallHalfWidth);
  known.device.noise = 0.05;
  const TimerReport noisy = report_timer(known.bench, "spin", 50, std::nullopt);
  EXPECT_GT(noisy.wall_samples, report.wall_samples);
}

TEST(TimerReport, AKernelThatIsWrongIsNotTimed) {
  KnownBench known;
  known.device.kernels["spin"] = [](const FakeArguments& arguments, LaunchResult&) {
    arguments.pointer<std::uint32_t>(0)[0] = 7;
  };
  EXPECT_THAT(error_text([&] { (void)report_timer(known.bench, "spin", 50, std::nullopt); }),
              HasSubstr("wrong_result"));
}

TEST(TimerReport, ADeviceThatFailsIsAnError) {
  KnownBench known;
  known.device.status = Status::kLaunchFailed;
  EXPECT_THAT(error_text([&] { (void)report_timer(known.bench, "spin", 50, std::nullopt); }),
              HasSubstr("staged"));
}

TEST(TimerReport, HasTheKeysThatCompareTimersReads) {
  KnownBench known;
  const nlohmann::json json = report_timer(known.bench, "spin", 5, std::nullopt);
  for (const char* key : {"truth_us", "reported_us", "raw_us", "slope_us", "wall_ms"})
    EXPECT_TRUE(json.at(key).is_number()) << key;
  EXPECT_EQ(json.at("interval_us").size(), 2u);
  EXPECT_EQ(json.dump(), nlohmann::json(json.get<TimerReport>()).dump());
}

}  // namespace
}  // namespace warpwright::testing
