// Excludes configurations that cost too much: a configuration that has hung, or lost its worker,
// three times in a sweep, on any problems and devices, is not run again. Trials that were stored
// earlier count as if they had just happened, so that a resumed sweep decides like an uninterrupted
// one.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "records/records.h"
#include "trial/outcome.h"

namespace warpwright {

inline constexpr int kLossesToQuarantine = 3;

// The counter in which a failed outcome carries the number of workers it cost, so that they are
// stored with the trial. A trial that succeeded in the end carries no counter: it was not the
// cause.
inline constexpr const char* kWorkersLostCounter = "workers_lost";
void note_workers_lost(Outcome& outcome, int workers);

// Returns how many workers a stored trial cost; at least 1 for a timeout.
[[nodiscard]] int losses_of(const TrialRecord& trial);

class Quarantine {
 public:
  // Returns true when this trial puts its configuration into quarantine. `board` names problem and
  // device in reasons.
  bool note(const TrialRecord& trial, const std::string& board);
  // Returns why the configuration (configuration_text) is not run; nullopt when it may run.
  [[nodiscard]] std::optional<std::string> reason(const std::string& configuration) const;

 private:
  struct Losses {
    int count = 0;
    std::string events;  // "timeout on n=8, crashed on n=16"
  };
  std::map<std::string, Losses> losses_;  // by configuration_text
};

}  // namespace warpwright
