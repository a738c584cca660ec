#include "workers/watchdog.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestLimit{2'000};
constexpr milliseconds kFirstLimit{10'000};
constexpr double kTimesBest = 20;
constexpr milliseconds kEmulatedLimit{30'000};
// Poisoning, checksums, downloads and the comparison with the reference happen between two
// launches, on a machine that may be busy.
constexpr milliseconds kAroundALaunch{30'000};

}  // namespace

milliseconds launch_time_limit(const DeviceInfo& device, std::optional<double> best_us) {
  if (!device.has_clock) return kEmulatedLimit;
  if (!best_us) return kFirstLimit;
  return std::max(kShortestLimit,
                  milliseconds(std::llround(std::ceil(kTimesBest * *best_us / 1e3))));
}

milliseconds silence_limit(std::string_view phase, milliseconds launch_limit,
                           milliseconds patience) {
  if (phase.empty() || is_contract_phase(phase)) return patience;
  return std::min(patience, launch_limit + kAroundALaunch);
}

bool is_contract_phase(std::string_view phase) { return phase == "inputs" || phase == "reference"; }

std::string_view describe_phase(std::string_view phase) {
  if (phase == "inputs") return "while making the inputs";
  if (phase == "reference") return "while computing the reference";
  if (phase == "validate") return "while checking results";
  if (phase == "measure") return "while being timed";
  return "";
}

}  // namespace warpwright
