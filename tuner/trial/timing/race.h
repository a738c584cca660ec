// The rounds of a final ranking: configurations that are close to the best take turns, in a new
// random order each round, so that drift affects all of them equally. Those that are certainly
// slower drop out during the race. This file only takes the times; stats/final_ranking.h interprets
// the rounds.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/status.h"
#include "trial/launch/outcome.h"

namespace warpwright {

struct RaceOptions {
  // The minimum while several configurations remain. Rounds end earlier when only one remains or
  // when the time is up: both at rounds_to_leave() at the earliest, or at rounds_to_exclude() long
  // after that. With fewer rounds no two configurations could be distinguished.
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
  // [round][plan], corrected for the floor: the median of the turn's samples, or kNoTime.
  std::vector<std::vector<double>> round_us;
  std::string protocol;
  double floor_us = 0;
  Validity validity;
};

// The number of samples in a turn of at least `block_us`.
[[nodiscard]] int samples_per_turn(double about_us, double block_us);

// `about_us` is the approximate time of one sample of each plan. The status is kNoisy when the
// device was not steady.
[[nodiscard]] Race run_race(Device& device, const std::vector<std::unique_ptr<TimingPlan>>& plans,
                            const std::vector<double>& about_us, const RaceOptions& options);

}  // namespace warpwright
