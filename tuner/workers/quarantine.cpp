#include "workers/quarantine.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright {

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
