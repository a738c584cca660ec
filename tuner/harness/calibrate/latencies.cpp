#include "harness/calibrate/latencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
namespace warpwright {
namespace {

// The time of one number of steps.
struct TimedSteps {
  double steps = 0, us = 0;
  std::optional<double> low_us, high_us;
};

struct StepTime {
  double ns = 0;
  std::optional<double> low_ns, high_ns;
};

constexpr const char* kPrefix = "latency_";
constexpr const char* kL2 = "latency_l2";

double number_of(const std::map<std::string, Value>& values, const char* name, double otherwise) {
  const auto found = values.find(name);
  return found == values.end() || !found->second.is_number() ? otherwise : found->second.as_real();
}

// Between the fewest and the most steps; nullopt where only one number of steps was timed.
std::optional<StepTime> step_time(const std::vector<TimedSteps>& times) {
  const auto by_steps = [](const TimedSteps& a, const TimedSteps& b) { return a.steps < b.steps; };
  const auto [few, many] = std::minmax_element(times.begin(), times.end(), by_steps);
  if (few == times.end() || !(many->steps > few->steps)) return std::nullopt;
  const double steps = many->steps - few->steps;
  const auto slope = [steps](double above, double below) { return 1e3 * (above - below) / steps; };
  StepTime time{slope(many->us, few->us), std::nullopt, std::nullopt};
  if (!(time.ns > 0)) return std::nullopt;
  if (few->low_us && few->high_us && many->low_us && many->high_us) {
    time.low_ns = std::max(0.0, slope(*many->low_us, *few->high_us));
    time.high_ns = slope(*many->high_us, *few->low_us);
  }
  return time;
}

double median_of_sorted(std::span<const double> values) {
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The sum of squared distances from the mean.
double spread(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

// The place that divides sorted values in two with the least spread on both sides together.
std::size_t best_division(std::span<const double> sorted) {
  std::size_t best = 1;
  double least = spread(sorted);
  for (std::size_t at = 1; at < sorted.size(); ++at) {
    const double both = spread(sorted.first(at)) + spread(sorted.subspan(at));
    if (both < least) {
      least = both;
      best = at;
    }
  }
  return best;
}

// The trials of one latency, by line; 0 where there are no lines.
struct Measured {
  std::map<std::int64_t, std::vector<TimedSteps>> lines;
  std::string protocol;
  std::string failure;  // of the first trial that failed
};

class Reader {
 public:
  explicit Reader(std::string measured_utc) : measured_utc_(std::move(measured_utc)) {}

  void read(const Database::TrialRow& row) {
    const TrialRecord& trial = row.trial;
    const std::string name = latency_of(trial.problem);
    if (name.empty()) return;
    Measured& measured = measured_[name];
    if (trial.status != Status::kOk || !trial.median_us) {
      if (measured.failure.empty()) {
        measured.failure =
            fmt::format("{}{}{} ({})", status_name(trial.status), trial.reason.empty() ? "" : ": ",
                        trial.reason, trial.configuration_text);
      }
      return;
    }
    const ParameterValues* parameters = trial.parameters.readable();
    if (parameters == nullptr) return;
    const double steps =
        number_of(*trial.problem.readable(), "steps", 0) * number_of(*parameters, "REPEATS", 1);
    const auto line = static_cast<std::int64_t>(number_of(*parameters, "LINE", 0));
    measured.lines[line].push_back({steps, *trial.median_us, trial.ci_low_us, trial.ci_high_us});
    measured.protocol = trial.protocol;
    if (trial.sm_clock_mhz > 0) clocks_.push_back(trial.sm_clock_mhz);
  }

  Latencies finish() {
    for (const auto& [name, measured] : measured_) add(name, measured);
    if (!clocks_.empty() && !result_.figures.empty()) {
      std::sort(clocks_.begin(), clocks_.end());
      store("latency_clock", median_of_sorted(clocks_), "MHz", result_.figures.front().protocol);
    }
    std::sort(result_.figures.begin(), result_.figures.end(),
              [](const CeilingRecord& a, const CeilingRecord& b) { return a.name < b.name; });
    return std::move(result_);
  }

 private:
  void store(const std::string& name, double value, const char* unit, const std::string& protocol,
             const StepTime& interval = {}) {
    CeilingRecord figure;
    figure.name = name;
    figure.value = value;
    figure.unit = unit;
    figure.ci_low = interval.low_ns;
    figure.ci_high = interval.high_ns;
    figure.protocol = protocol;
    figure.measured_utc = measured_utc_;
    result_.figures.push_back(std::move(figure));
  }

  void add(const std::string& name, const Measured& measured) {
    std::vector<StepTime> lines;
    for (const auto& [line, times] : measured.lines) {
      if (const std::optional<StepTime> time = step_time(times)) lines.push_back(*time);
    }
    if (lines.empty()) {
      const bool pairs = std::any_of(measured.lines.begin(), measured.lines.end(),
                                     [](const auto& line) { return line.second.size() > 1; });
      result_.missing.push_back({name, !measured.failure.empty() ? measured.failure
                                       : pairs ? "the time did not grow with the steps"
                                               : "fewer than two numbers of steps were timed"});
    } else if (name != kL2) {
      store(name, lines.front().ns, "ns", measured.protocol, lines.front());
    } else {
      add_lines(lines, measured.protocol);
    }
  }

  void add_lines(const std::vector<StepTime>& lines, const std::string& protocol) {
    std::vector<double> times;
    for (const StepTime& line : lines) times.push_back(line.ns);
    std::sort(times.begin(), times.end());
    const std::span<const double> sorted(times);
    const std::string l2 = kL2;
    store(l2, median_of_sorted(sorted), "ns", protocol);
    store(l2 + "_lines", static_cast<double>(lines.size()), "lines", protocol);
    if (lines.size() < 2) return;
    const std::size_t division = best_division(sorted);
    store(l2 + "_near", median_of_sorted(sorted.first(division)), "ns", protocol);
    store(l2 + "_far", median_of_sorted(sorted.subspan(division)), "ns", protocol);
    store(l2 + "_nearest", sorted.front(), "ns", protocol);
    store(l2 + "_farthest", sorted.back(), "ns", protocol);
  }

  std::string measured_utc_;
  std::map<std::string, Measured> measured_;
  std::vector<double> clocks_;
  Latencies result_;
};

}  // namespace

std::string latency_of(const Stored<Problem>& problem) {
  const Problem* sizes = problem.readable();
  if (sizes == nullptr) return "";
  const auto found = sizes->find("latency");
  return found != sizes->end() && found->second.is_string() ? kPrefix + found->second.as_string()
                                                            : "";
}

Latencies latencies_from(const std::vector<Database::TrialRow>& rows,
                         const std::string& measured_utc) {
  Reader reader(measured_utc);
  for (const Database::TrialRow& row : rows) reader.read(row);
  return reader.finish();
}

}  // namespace warpwright
