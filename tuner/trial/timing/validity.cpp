#include "trial/timing/validity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace warpwright {

bool ValidityWatch::clock_moved(int from_mhz, int to_mhz) {
  if (from_mhz == 0 || to_mhz == 0) return false;
  return std::abs(to_mhz - from_mhz) > kClockTolerance * from_mhz;
}

ValidityWatch::ValidityWatch(Device& device) : device_(device) {}

void ValidityWatch::note(const DeviceState& state) {
  if (state.sm_clock_mhz != 0) {
    const bool first = seen_.sm_clock_max_mhz == 0;
    seen_.sm_clock_min_mhz =
        first ? state.sm_clock_mhz : std::min(seen_.sm_clock_min_mhz, state.sm_clock_mhz);
    seen_.sm_clock_max_mhz = std::max(seen_.sm_clock_max_mhz, state.sm_clock_mhz);
  }
  for (const auto* reasons : {&state.slowdown, &state.limits}) {
    for (const std::string& reason : *reasons) {
      if (std::find(seen_.throttle.begin(), seen_.throttle.end(), reason) == seen_.throttle.end())
        seen_.throttle.push_back(reason);
    }
  }
  seen_.power_w = std::max(seen_.power_w, state.power_w);
  seen_.temperature_c = std::max(seen_.temperature_c, state.temperature_c);
  seen_.other_processes = std::max(seen_.other_processes, state.other_processes);
}

void ValidityWatch::begin_block() {
  // The clock before a cool-down is not the clock of the samples after it.
  std::this_thread::sleep_until(device_.rests_until);
  before_ = device_.state();
  note(before_);
}

bool ValidityWatch::end_block(bool disturbed, bool paced) {
  after_ = device_.state();
  note(after_);
  const auto differ = [&](int a, int b) { return !paced && clock_moved(a, b); };
  const bool steady = !disturbed && !differ(before_.sm_clock_mhz, after_.sm_clock_mhz) &&
                      before_.slowdown.empty() && after_.slowdown.empty();
  const bool moved = differ(steady_clock_mhz_, after_.sm_clock_mhz);
  risen_ = steady && moved && after_.sm_clock_mhz > steady_clock_mhz_;
  if (risen_) start_anew();
  ++seen_.blocks;
  if (!steady || (moved && !risen_)) {
    ++seen_.tagged;
    ++seen_.retaken;
    return false;
  }
  if (steady_clock_mhz_ == 0 || risen_) steady_clock_mhz_ = after_.sm_clock_mhz;
  return true;
}

void ValidityWatch::start_anew() {
  seen_.retaken += seen_.blocks - seen_.tagged;
  seen_.tagged = seen_.blocks;
  blocks_before_ = seen_.blocks;
  tagged_before_ = seen_.tagged;
}

bool ValidityWatch::noisy() const {
  const int blocks = seen_.blocks - blocks_before_;
  return blocks >= kPatience && seen_.tagged - tagged_before_ > kTaggedShare * blocks;
}

std::string ValidityWatch::describe() const {
  std::string text =
      fmt::format("{} of {} blocks of samples were disturbed: SM clock between {} and {} MHz",
                  seen_.tagged, seen_.blocks, seen_.sm_clock_min_mhz, seen_.sm_clock_max_mhz);
  if (!seen_.throttle.empty()) text += fmt::format(", {}", fmt::join(seen_.throttle, ", "));
  if (seen_.other_processes > 0)
    text += fmt::format("; {} other processes use this device", seen_.other_processes);
  return text + "; sweep again when the device is cool and free";
}

}  // namespace warpwright
