#include "trial/measure.h"

#include <algorithm>
#include <chrono>

#include "stats/median.h"

namespace warpwright {
namespace {

// Fewer samples say nothing about a median; slow kernels get this many even beyond the time budget.
constexpr int kFewestSamples = 5;
constexpr int kMoreSamples = 10;

}  // namespace

Measurement measure(Device& device, const std::vector<DeviceLaunch>& launches,
                    std::vector<RestoreCopy> restores, const TrialOptions& options) {
  using Clock = std::chrono::steady_clock;
  Measurement measurement;
  SampleRequest request;
  request.restore = std::move(restores);
  const auto start = Clock::now();
  const int most = std::max(options.max_samples, kFewestSamples);
  while (true) {
    const int have = static_cast<int>(measurement.samples_us.size());
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    const bool in_time = used < options.sample_time;
    request.samples = have == 0 ? options.min_samples : kMoreSamples;
    if (!in_time) request.samples = kFewestSamples - have;
    request.samples = std::clamp(request.samples, 1, most - have);
    request.time_limit = std::max(std::chrono::milliseconds(1), options.sample_time - used);
    const Samples taken = device.sample(launches, request);
    if (taken.status != Status::kOk) {
      measurement.status = taken.status;
      measurement.reason = taken.reason;
      measurement.device_lost = taken.device_lost;
      return measurement;
    }
    measurement.samples_us.insert(measurement.samples_us.end(), taken.elapsed_us.begin(),
                                  taken.elapsed_us.end());
    measurement.time.protocol = taken.protocol;
    measurement.time.floor_us = taken.floor_us;
    if (taken.sm_clock_mhz != 0) measurement.sm_clock_mhz = taken.sm_clock_mhz;

    const int total = static_cast<int>(measurement.samples_us.size());
    const bool narrow =
        total >= std::min(options.min_samples, most) &&
        median_interval(measurement.samples_us).relative_half_width() <= kNarrowEnough;
    const bool spent = total >= kFewestSamples && Clock::now() - start >= options.sample_time;
    if (total >= most || narrow || spent || taken.elapsed_us.empty()) break;
  }
  const MedianInterval interval = median_interval(measurement.samples_us);
  measurement.time.median_us = interval.median;
  measurement.time.ci_low_us = interval.low;
  measurement.time.ci_high_us = interval.high;
  return measurement;
}

TimeEstimate modelled_time(const LaunchResult& launch) {
  TimeEstimate time;
  time.median_us = time.ci_low_us = time.ci_high_us = launch.modelled_us;
  time.modelled = true;
  time.protocol = "model-1";
  return time;
}

}  // namespace warpwright
