#include "trial/timing/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <thread>
#include <vector>

#include "stats/median.h"
#include "stats/screening_rule.h"
#include "trial/timing/race.h"
#include "trial/timing/validity.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The approximate resolution of GPU events on recent devices: shorter times are indistinguishable
// from 0.
constexpr double kShortestUs = 0.032;
constexpr double kNormal95 = 1.96;  // standard deviations on either side
constexpr milliseconds kBlockLimit{2000};
constexpr int kMinForInterval = 6;
double elapsed_us(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

// Blocks of samples of one plan, the good ones kept.
class Sampling {
 public:
  Sampling(Device& device, TimingPlan& plan) : plan_(plan), watch_(device) {}

  // Takes one block. Returns false when sampling must end, because of a fault or a device that is
  // not steady.
  bool take(int samples) {
    watch_.begin_block();
    const auto start = Clock::now();
    const Samples taken = plan_.take(samples, kBlockLimit);
    if (taken.status != Status::kOk) {
      result.status = taken.status;
      result.reason = taken.reason;
      result.device_lost = taken.device_lost;
      return false;
    }
    protocol_ = taken.protocol;
    floor_us_ = taken.floor_us;
    drift_us_ = taken.drift_us;
    units_ = taken.units;
    if (watch_.end_block(taken.disturbed)) {
      if (watch_.risen()) {
        result.samples_us.clear();
        told_mhz_.clear();
      }
      spent_us += elapsed_us(start);
      result.samples_us.insert(result.samples_us.end(), taken.elapsed_us.begin(),
                               taken.elapsed_us.end());
      std::copy_if(taken.clock_mhz.begin(), taken.clock_mhz.end(), std::back_inserter(told_mhz_),
                   [](double mhz) { return mhz > 0; });
    }
    if (!watch_.noisy()) return true;
    result.status = Status::kNoisy;
    result.reason = watch_.describe();
    return false;
  }

  [[nodiscard]] std::vector<double> corrected_us() const {
    std::vector<double> corrected;
    for (const double sample : result.samples_us)
      corrected.push_back(without_floor(sample, floor_us_, units_));
    return corrected;
  }

  Measurement finish() {
    result.validity = watch_.seen();
    if (!told_mhz_.empty())
      result.validity.clock_during_mhz = static_cast<int>(std::lround(median(told_mhz_)));
    result.sm_clock_mhz = watch_.sm_clock_mhz();
    if (result.status == Status::kOk)
      result.time = estimate(result.samples_us, protocol_, floor_us_, drift_us_, units_);
    return std::move(result);
  }

  Measurement result;
  double spent_us = 0;

 private:
  TimingPlan& plan_;
  ValidityWatch watch_;
  std::vector<double> told_mhz_;  // reported by the kept samples
  std::string protocol_;
  double floor_us_ = 0;
  double drift_us_ = 0;
  double units_ = 1;
};

using Clock = std::chrono::steady_clock;

// The first step includes energy from before the start.
constexpr std::size_t kSteps = 3;

struct Step {
  Clock::time_point at;
  double energy_mj = 0;
};

}  // namespace

double without_floor(double raw_us, double floor_us, double units) {
  return std::max(raw_us - floor_us, kShortestUs / units);
}

TimeEstimate estimate(const std::vector<double>& samples_us, const std::string& protocol,
                      double floor_us, double drift_us, double units) {
  const MedianInterval interval = median_interval(samples_us);
  TimeEstimate time;
  time.median_us = without_floor(interval.median, floor_us, units);
  const double drift = kNormal95 * drift_us;
  const double low = interval.median - std::hypot(interval.median - interval.low, drift);
  const double high = interval.median + std::hypot(interval.high - interval.median, drift);
  time.ci_low_us = without_floor(low, floor_us, units);
  time.ci_high_us = without_floor(high, floor_us, units);
  time.raw_median_us = interval.median;
  time.floor_us = floor_us;
  time.protocol = protocol;
  return time;
}

Measurement measure(Device& device, TimingPlan& plan, const MeasureOptions& options) {
  device.warm_up();
  Sampling sampling(device, plan);
  if (!options.screening) {
    // The same number of samples that a finalist gets in the fewest rounds.
    constexpr int kFirst = 5;
    const RaceOptions race;
    if (sampling.take(kFirst)) {
      const double about_us = median(sampling.corrected_us());
      const int turn = samples_per_turn(about_us * options.units, race.block_us);
      for (int have = kFirst; have < race.fewest_rounds * turn; have += turn) {
        if (!sampling.take(turn)) break;
      }
    }
    return sampling.finish();
  }
  // The variation of a short kernel's readings must not decide.
  std::optional<double> best_us = options.best_us;
  if (best_us) *best_us += kColdDriftUs / options.units;
  while (true) {
    const ScreeningStep step = next_step(sampling.corrected_us(), sampling.spent_us, best_us);
    if (step.decision == ScreeningDecision::kPruned) {
      sampling.result.status = Status::kPruned;
      sampling.result.at_least_us = step.at_least_us;
      sampling.result.reason = fmt::format(
          "the fastest of {} samples took {:.4g} µs, the best configuration takes {:.4g} µs",
          sampling.result.samples_us.size(), step.at_least_us, *options.best_us);
      break;
    }
    if (step.decision == ScreeningDecision::kEnough) break;
    if (!sampling.take(static_cast<int>(step.more))) break;
  }
  return sampling.finish();
}

Measurement measure_steadily(Device& device, TimingPlan& plan, double half_width, int most,
                             milliseconds time_limit) {
  constexpr int kBlock = 10;
  device.warm_up();
  Sampling sampling(device, plan);
  const auto start = Clock::now();
  while (sampling.take(std::min(kBlock, most))) {
    const auto have = static_cast<int>(sampling.result.samples_us.size());
    if (have >= most) break;
    if (have < kMinForInterval) continue;
    if (median_interval(sampling.corrected_us()).relative_half_width() <= half_width) break;
    if (Clock::now() - start > time_limit) break;
  }
  return sampling.finish();
}

Measurement take_steadily(Device& device, TimingPlan& plan, int samples) {
  device.warm_up();
  Sampling sampling(device, plan);
  while (sampling.take(samples) && sampling.result.samples_us.empty()) {
  }
  return sampling.finish();
}

TimeEstimate modelled_time(const LaunchResult& launch, double units) {
  TimeEstimate time;
  time.median_us = time.ci_low_us = time.ci_high_us = launch.modelled_us / units;
  time.modelled = true;
  time.protocol = "model-1";
  return time;
}

std::optional<LaunchEnergy> energy_of_launch(Device& device, TimingPlan& plan,
                                             std::chrono::milliseconds duration) {
  if (!device.energy_mj()) return std::nullopt;
  std::atomic<bool> stop{false};
  std::vector<Step> steps;  // moments at which the counter had just moved
  std::atomic<bool> enough{false};
  std::thread reader([&] {
    std::optional<double> last = device.energy_mj();
    while (!stop && last) {
      const std::optional<double> now = device.energy_mj();
      if (now && *now != *last) steps.push_back({Clock::now(), *now});
      enough = steps.size() >= kSteps;
      last = now;
    }
  });
  const auto start = Clock::now();
  constexpr int kSamples = 8;
  bool running = true;
  std::uint64_t sequences = 0;
  // Runs at least once, however late this thread is scheduled.
  do {
    const Samples taken = plan.take(kSamples, duration);
    running = taken.status == Status::kOk;
    sequences += taken.sequences;
  } while (running && !enough && Clock::now() - start < duration);
  const double busy_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  stop = true;
  reader.join();
  if (!running || sequences == 0 || steps.size() < kSteps) return std::nullopt;
  const double energy_mj = steps.back().energy_mj - steps.front().energy_mj;
  const double span_us =
      std::chrono::duration<double, std::micro>(steps.back().at - steps.front().at).count();
  // Energy in mJ over time in µs is power in kW.
  return LaunchEnergy{energy_mj / (static_cast<double>(sequences) * span_us / busy_us),
                      1e3 * energy_mj / span_us};
}

}  // namespace warpwright
