// Measures launches to get a time with an interval, the way a sweep does it: few samples for
// configurations that cannot win, more for those that may (stats/screening_rule.h), none kept from
// moments in which the device was not steady (trial/timing/validity.h). On a device without a clock
// the time is the model's, and is marked so.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "trial/launch/outcome.h"

namespace warpwright {

// The variation of the cold reading of a kernel of a few microseconds on a steady H200 that the
// spread of its samples does not show.
inline constexpr double kColdDriftUs = 0.15;

struct MeasureOptions {
  // False: every configuration is measured as fully as a finalist of a ranking would be, and none
  // is pruned.
  bool screening = true;
  std::optional<double> best_us;  // the best time so far on this problem
  double units = 1;               // of work in a sample (Samples::units)
};

struct Measurement {
  Status status = Status::kOk;  // also kPruned, with at_least_us, and kNoisy
  std::string reason;
  bool device_lost = false;
  std::optional<TimeEstimate> time;  // with kOk only
  std::optional<double> at_least_us;
  std::vector<double> samples_us;  // raw
  Validity validity;
  int sm_clock_mhz = 0;
};

[[nodiscard]] Measurement measure(Device& device, TimingPlan& plan, const MeasureOptions& options);

// Takes samples until half the interval of the median is within `half_width` of it, `most` were
// taken or `time_limit` has passed; at least 6, the fewest that bound a median at 95 %.
[[nodiscard]] Measurement measure_steadily(Device& device, TimingPlan& plan, double half_width,
                                           int most, std::chrono::milliseconds time_limit);

// Takes one block of at most `samples`, taken again while the device is not steady; kNoisy when it
// does not become steady.
[[nodiscard]] Measurement take_steadily(Device& device, TimingPlan& plan, int samples);

// Returns the reading minus the floor, which is always positive, because a kernel takes some time.
// The result is divided by `units`, the units of work in it.
[[nodiscard]] double without_floor(double raw_us, double floor_us, double units = 1);
// Median and interval of raw samples, corrected for their floor. The interval combines the spread
// of the samples and the variation of the timer, as independent parts.
[[nodiscard]] TimeEstimate estimate(const std::vector<double>& samples_us,
                                    const std::string& protocol, double floor_us, double drift_us,
                                    double units = 1);

// The time of a device without a clock, from a launch that was run for validation.
[[nodiscard]] TimeEstimate modelled_time(const LaunchResult& launch, double units = 1);

// The energy of one launch is measured with the device's energy counter while launches follow each
// other without a gap. The counter moves in steps of about 100 ms and takes milliseconds to read,
// so a second thread reads it and only whole steps count.

// The duration for which a counter is watched: four of its steps.
inline constexpr std::chrono::milliseconds kEnergyTime{450};

struct LaunchEnergy {
  double mj = 0;       // of one launch sequence
  double power_w = 0;  // mean, while the launches ran
};
// nullopt when the device has no counter, or it moved less than three times within
// `duration`, or the kernel failed. `plan` is a hot one. Device::energy_mj() is called from a
// second thread meanwhile.
[[nodiscard]] std::optional<LaunchEnergy> energy_of_launch(Device& device, TimingPlan& plan,
                                                           std::chrono::milliseconds duration);

}  // namespace warpwright
