#include "device/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "stats/median.h"

namespace warpwright {
namespace {

// Blocks of one launch start within microseconds of each other, and work worth stamping takes
// longer than this, so stamps of different launches lie further apart.
constexpr std::uint64_t kTogetherNs = 100'000;

std::uint64_t latest(std::span<const ClockStamp> stamps) {
  std::uint64_t ns = 0;
  for (const ClockStamp& stamp : stamps) ns = std::max(ns, stamp.ns);
  return ns;
}

}  // namespace

bool WrongLaunches::fail(Samples& samples) const {
  samples.status = Status::kWrongResult;
  samples.reason = fmt::format(
      "while being timed: output '{}' was not what the validated launches had written, in {} of {} "
      "timed launches that were checked; every timed launch begins with poisoned outputs, restored "
      "module variables and inputs drawn at random, and must do all of the work",
      output_, wrong_, seen_);
  return false;
}

double clock_between(std::span<const ClockStamp> before, std::span<const ClockStamp> after) {
  WARPWRIGHT_CHECK(before.size() == after.size(), "stamps are taken on the same SMs");
  const std::uint64_t started = latest(before);
  const std::uint64_t ended = latest(after);
  std::vector<double> mhz;
  for (std::size_t sm = 0; sm < before.size(); ++sm) {
    const ClockStamp& from = before[sm];
    const ClockStamp& to = after[sm];
    if (from.ns + kTogetherNs < started || to.ns + kTogetherNs < ended) continue;
    if (to.ns <= from.ns || to.cycles <= from.cycles) continue;
    mhz.push_back(1e3 * static_cast<double>(to.cycles - from.cycles) /
                  static_cast<double>(to.ns - from.ns));
  }
  return mhz.empty() ? 0 : median_in_place(mhz);
}

}  // namespace warpwright
