#include "workers/watchdog.h"

#include <fmt/format.h>

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

void note_workers_lost(Outcome& outcome, int workers) {
  if (workers > 0 && outcome.status != Status::kOk)
    outcome.counters[kWorkersLostCounter] = static_cast<std::uint64_t>(workers);
}

int losses_of(const TrialRecord& trial) {
  const int least = trial.status == Status::kTimeout ? 1 : 0;
  // A database from elsewhere may lack the counters.
  const TrialCounters* counters = trial.counters.readable();
  if (counters == nullptr) return least;
  const auto lost = counters->find(kWorkersLostCounter);
  return lost == counters->end() ? least : std::max(least, static_cast<int>(lost->second));
}

bool Quarantine::note(const TrialRecord& trial, const std::string& board) {
  const int cost = losses_of(trial);
  if (cost == 0) return false;
  Losses& losses = losses_[trial.configuration_text];
  const bool before = losses.count >= kLossesToQuarantine;
  losses.count += cost;
  losses.events += fmt::format("{}{} on {}", losses.events.empty() ? "" : "; ",
                               status_name(trial.status), board);
  if (cost > 1) losses.events += fmt::format(", {} times", cost);
  return !before && losses.count >= kLossesToQuarantine;
}

std::optional<std::string> Quarantine::reason(const std::string& configuration) const {
  const auto found = losses_.find(configuration);
  if (found == losses_.end() || found->second.count < kLossesToQuarantine) return std::nullopt;
  return fmt::format(
      "not run: this configuration hung or lost its worker {} times in this sweep ({}); --fresh "
      "tries it again",
      found->second.count, found->second.events);
}

}  // namespace warpwright
