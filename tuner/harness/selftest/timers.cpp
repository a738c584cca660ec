#include "harness/selftest/timers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.h"
#include "records/codec.h"
#include "stats/median.h"
#include "trial/timing/finals.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

// The same precision as for a headline.
constexpr double kHalfWidth = 0.005;
constexpr int kMaxSamples = 400;
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
  return reading_of(measure_or_throw(device, plan, kHalfWidth, kMaxSamples, kTime));
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Size {
  double target_us;
  const char* text;
  double bias;    // at most; in us for the short one, in % for the others
  bool is_short;  // reported by its slope
  double cv_percent;
  double wall_ms;
};

constexpr std::array<Size, 3> kSizes{{{5, "5 us", 0.15, true, 0.5, 20},
                                      {50, "50 us", 0.5, false, 0.3, 20},
                                      {1000, "1 ms", 0.2, false, 0.2, 60}}};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The sample standard deviation in percent of the mean.
double cv_percent(const std::vector<double>& values) {
  if (values.size() < 2) return kNone;
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return 100 * std::sqrt(sum / static_cast<double>(values.size() - 1)) / middle;
}

// The reports of one size, or the reason why some are missing.
struct Reports {
  std::vector<TimerReport> all;
  std::string missing;
};

Reports reports_of(const std::vector<TimerRun>& runs, double target_us) {
  Reports reports;
  std::size_t asked = 0;
  std::string first;
  for (const TimerRun& run : runs) {
    if (run.target_us != target_us) continue;
    ++asked;
    if (run.report) reports.all.push_back(*run.report);
    if (!run.report && first.empty()) first = run.error;
  }
  if (reports.all.size() < asked || asked == 0) {
    reports.missing = fmt::format("{} processes gave no report: {}",
                                  of(asked - reports.all.size(), asked), first);
  }
  return reports;
}

template <typename Get>
std::vector<double> each(const Reports& reports, Get get) {
  std::vector<double> values;
  for (const TimerReport& report : reports.all) values.push_back(get(report));
  return values;
}

double reported_us(const TimerReport& report) { return report.reported().value_us; }
double cold_us(const TimerReport& report) { return report.cold.value_us; }
double raw_us(const TimerReport& report) { return report.cold.raw_us; }

using Get = double (*)(const TimerReport&);

Figure bias_figure(const Reports& reports, const Size& size, Get get) {
  Figure figure{"bias", "reported - truth", size.text, kNone, size.is_short ? "us" : "%", {}, {}};
  figure.detail = reports.missing;
  if (!reports.missing.empty()) return figure;
  const double value_us = mean(each(reports, get));
  const double truth_us = mean(
      each(reports, [](const TimerReport& report) { return report.truth_us.value_or(kNone); }));
  const double bias_us = value_us - truth_us;
  figure.value = std::abs(size.is_short ? bias_us : 100 * bias_us / truth_us);
  figure.detail = fmt::format("{} {:.3f} us, truth {:.3f} us, {:+.4f} us",
                              get == raw_us ? "raw" : "reported", value_us, truth_us, bias_us);
  return figure;
}

Figure cv_figure(const Reports& reports, const Size& size, Get get) {
  Figure figure{"cv", "between processes", size.text, kNone, "%", {}, {}};
  figure.detail = reports.missing;
  if (!reports.missing.empty()) return figure;
  const std::vector<double> values = each(reports, get);
  figure.value = cv_percent(values);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  figure.detail = fmt::format("{} processes, {:.3f} to {:.3f} us", values.size(), *low, *high);
  return figure;
}

Figure wall_figure(const Reports& reports, const Size& size) {
  Figure figure{"wall", "to an interval of 1 %", size.text, kNone, "ms", {}, {}};
  figure.detail = reports.missing;
  if (!reports.missing.empty()) return figure;
  const auto late = static_cast<std::size_t>(std::count_if(
      reports.all.begin(), reports.all.end(),
      [](const TimerReport& report) { return report.wall_half_width > kWallHalfWidth; }));
  if (late > 0) {
    figure.detail = fmt::format("{} processes never reached it", of(late, reports.all.size()));
    return figure;
  }
  const std::vector<double> walls =
      each(reports, [](const TimerReport& report) { return report.wall_ms; });
  const std::vector<double> samples = each(
      reports, [](const TimerReport& report) { return static_cast<double>(report.wall_samples); });
  figure.value = median(walls);
  figure.detail = fmt::format("median of processes; {:g} samples, slowest {:.1f} ms",
                              median(samples), *std::max_element(walls.begin(), walls.end()));
  return figure;
}

}  // namespace

WARPWRIGHT_CODEC(Reading, protocol, value_us, low_us, high_us, raw_us, floor_us, samples_us)

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
  const Measurement first = measure_or_throw(device, *plan, kWallHalfWidth, kMaxSamples, kTime);
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

std::vector<Figure> timer_figures(const std::vector<TimerRun>& runs,
                                  const std::set<Section>& wanted) {
  std::vector<Figure> figures;
  const auto add = [&](Figure figure, const Target& target) {
    figure.target = target;
    figures.push_back(std::move(figure));
  };
  // Adds the short kernel again, as it would be reported without the slope, for information.
  const auto add_cold_lines = [&](const Size& size, const Reports& reports, auto make) {
    if (!size.is_short) return;
    for (const auto& [suffix, get] :
         {std::pair<const char*, Get>{", cold, floor subtracted", cold_us},
          {", cold, raw", raw_us}}) {
      Figure figure = make(reports, size, get);
      figure.size += suffix;
      add(std::move(figure), Target::none());
    }
  };
  for (const Size& size : kSizes) {
    if (!wanted.contains(Section::kBias)) break;
    const Reports reports = reports_of(runs, size.target_us);
    add(bias_figure(reports, size, reported_us), Target::at_most(size.bias));
    add_cold_lines(size, reports, bias_figure);
  }
  for (const Size& size : kSizes) {
    if (!wanted.contains(Section::kCv)) break;
    const Reports reports = reports_of(runs, size.target_us);
    add(cv_figure(reports, size, reported_us), Target::at_most(size.cv_percent));
    add_cold_lines(size, reports, cv_figure);
  }
  for (const Size& size : kSizes) {
    if (!wanted.contains(Section::kWall)) break;
    add(wall_figure(reports_of(runs, size.target_us), size), Target::at_most(size.wall_ms));
  }
  return figures;
}

SectionResult run_timers(const Workers& workers, int processes, const std::set<Section>& wanted) {
  SectionResult result;
  std::vector<TimerRun> runs;
  result.raw = nlohmann::json::array();
  // The first process chooses the steps; the others time the same kernel, because otherwise CV
  // would compare different kernels.
  std::map<double, std::int64_t> steps;
  for (int process = 0; process < processes; ++process) {
    for (const Size& size : kSizes) {
      workers.step(fmt::format("spin of {}, process {} of {}", size.text, process + 1, processes));
      TimerRun run;
      run.target_us = size.target_us;
      try {
        nlohmann::json task = {{"do", "timer"}, {"kernel", "spin"}, {"target_us", size.target_us}};
        if (const auto known = steps.find(size.target_us); known != steps.end())
          task["size"] = known->second;
        const nlohmann::json reply = workers.ask(task);
        run.report = reply.get<TimerReport>();
        steps.emplace(size.target_us, run.report->size);
        result.raw.push_back(reply);
        result.protocols.insert(run.report->cold.protocol);
        result.protocols.insert(run.report->reported().protocol);
      } catch (const Error& error) {
        if (error.fault() == Fault::kUser) throw;
        run.error = one_line(error.what());
        result.raw.push_back({{"target_us", size.target_us}, {"error", run.error}});
      }
      runs.push_back(std::move(run));
    }
  }
  result.figures = timer_figures(runs, wanted);
  return result;
}

}  // namespace warpwright
