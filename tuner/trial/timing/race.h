// The rounds of a final ranking: configurations that are close to the best take turns, in a new
// random order each round, so that drift meets all of them alike. Those that are certainly slower
// leave on the way. What the rounds mean is decided by stats/final_ranking.h; this takes the times.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/status.h"
#include "trial/outcome.h"

namespace warpwright {

struct RaceOptions {
  // Where several stay. Rounds end before that when only one does, and when the time is up: both
  // at rounds_to_leave() at the earliest, or at rounds_to_exclude() when the time has been up for
  // long. With fewer nothing could be told from anything else.
  int fewest_rounds = 30;
  int most_rounds = 200;
  double half_width = 0.005;  // of the intervals among the tied, relative: stop when reached
  std::chrono::milliseconds time_limit{5000};
  std::chrono::milliseconds hard_limit{30000};  // after which one round must do
  double block_us = 500;  // each turn measures at least this long and one sample
  std::uint64_t seed = 1;
};

struct Race {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  std::size_t failed = 0;  // the plan that failed, unless the status is kOk
  // [round][plan], corrected for the floor: the median of the turn's samples, or kLeft.
  std::vector<std::vector<double>> round_us;
  std::string protocol;
  double floor_us = 0;
  Validity validity;
};

// How many samples make a turn of at least `block_us`.
[[nodiscard]] int samples_per_turn(double about_us, double block_us);

// `about_us` is what one sample of each plan takes. kNoisy when the device was not steady.
[[nodiscard]] Race run_race(Device& device, const std::vector<std::unique_ptr<TimingPlan>>& plans,
                            const std::vector<double>& about_us, const RaceOptions& options);

}  // namespace warpwright
