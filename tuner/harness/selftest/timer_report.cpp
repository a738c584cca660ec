#include "harness/selftest/timer_report.h"

#include <nlohmann/json.hpp>

#include "stats/median.h"
#include "trial/timing/take_headline.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

// The same precision as for a headline.
constexpr double kHalfWidth = 0.005;
constexpr int kMostSamples = 400;
constexpr milliseconds kTime{400};
constexpr int kTruthPairs = 11;

Reading reading_of(Measurement measured) {
  const TimeEstimate& time = *measured.time;
  return {time.protocol,
          time.median_us,
          time.ci_low_us,
          time.ci_high_us,
          time.raw_median_us,
          time.floor_us,
          std::move(measured.samples_us)};
}

Reading read_steadily(Device& device, TimingPlan& plan) {
  return reading_of(measure_or_throw(device, plan, kHalfWidth, kMostSamples, kTime));
}

}  // namespace

void to_json(nlohmann::json& json, const Reading& reading) {
  json = {{"protocol", reading.protocol},    {"value_us", reading.value_us},
          {"low_us", reading.low_us},        {"high_us", reading.high_us},
          {"raw_us", reading.raw_us},        {"floor_us", reading.floor_us},
          {"samples_us", reading.samples_us}};
}

void from_json(const nlohmann::json& json, Reading& reading) {
  json.at("protocol").get_to(reading.protocol);
  json.at("value_us").get_to(reading.value_us);
  json.at("low_us").get_to(reading.low_us);
  json.at("high_us").get_to(reading.high_us);
  json.at("raw_us").get_to(reading.raw_us);
  json.at("floor_us").get_to(reading.floor_us);
  json.at("samples_us").get_to(reading.samples_us);
}

void to_json(nlohmann::json& json, const TimerReport& report) {
  const Reading& reported = report.reported();
  json = {{"kernel", report.kernel},
          {"target_us", report.target_us},
          {"size", report.size},
          {"truth_us", nullptr},
          {"step_us", report.step_us},
          {"protocol", reported.protocol},
          {"reported_us", reported.value_us},
          {"interval_us", {reported.low_us, reported.high_us}},
          {"raw_us", report.cold.raw_us},
          {"slope_us", nullptr},
          {"cold", report.cold},
          {"slope", nullptr},
          {"wall_ms", report.wall_ms},
          {"wall_samples", report.wall_samples},
          {"wall_half_width", report.wall_half_width}};
  if (report.truth_us) json["truth_us"] = *report.truth_us;
  if (report.slope) {
    json["slope"] = *report.slope;
    json["slope_us"] = report.slope->value_us;
  }
}

void from_json(const nlohmann::json& json, TimerReport& report) {
  report = TimerReport{};
  json.at("kernel").get_to(report.kernel);
  json.at("target_us").get_to(report.target_us);
  json.at("size").get_to(report.size);
  if (!json.at("truth_us").is_null()) report.truth_us = json.at("truth_us").get<double>();
  json.at("step_us").get_to(report.step_us);
  json.at("cold").get_to(report.cold);
  if (!json.at("slope").is_null()) report.slope = json.at("slope").get<Reading>();
  json.at("wall_ms").get_to(report.wall_ms);
  json.at("wall_samples").get_to(report.wall_samples);
  json.at("wall_half_width").get_to(report.wall_half_width);
}

TimerReport report_timer(const Bench& bench, const std::string& kernel, double target_us,
                         std::optional<std::int64_t> size) {
  const auto subject = Subject::make(bench, kernel, target_us, size);
  Device& device = bench.device;
  const Configuration configuration = subject->configuration();
  (void)subject->kernel().launches(configuration);  // validated before the clock runs

  TimerReport report;
  report.kernel = kernel;
  report.target_us = target_us;
  report.size = subject->size();
  // In a chain the copies of stream would find each other's data in L2; its reported time is the
  // cold one.
  const bool by_slope = target_us < kShortKernelUs && kernel == "spin";

  const auto start = std::chrono::steady_clock::now();
  const auto plan =
      subject->kernel().plan(configuration, by_slope ? TimingMode::kSlope : TimingMode::kCold);
  const Measurement first = measure_or_throw(device, *plan, kWallHalfWidth, kMostSamples, kTime);
  report.wall_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  report.wall_samples = static_cast<int>(first.samples_us.size());
  std::vector<double> corrected_us;
  for (const double sample : first.samples_us)
    corrected_us.push_back(without_floor(sample, first.time->floor_us));
  report.wall_half_width = median_interval(corrected_us).relative_half_width();

  const Reading reported = read_steadily(device, *plan);
  if (by_slope) {
    report.slope = reported;
    const auto cold = subject->kernel().plan(configuration, TimingMode::kCold);
    report.cold = read_steadily(device, *cold);
  } else {
    report.cold = reported;
  }
  // The truth is measured last, so that its preparations cannot improve the report.
  report.step_us = subject->step_us(kTruthPairs);
  if (!report.step_us.empty())
    report.truth_us = median(report.step_us) * static_cast<double>(report.size);
  return report;
}

}  // namespace warpwright
