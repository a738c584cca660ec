// Defines how long operations may take before they count as hung, and excludes configurations that
// cost too much. The device ends a launch that runs too long and reports it, which is a result.
// Killing a silent worker is the last resort, for a worker that is stuck in the driver, where its
// own limits do not apply. A configuration that has hung, or lost its worker, three times in a
// sweep, on any problems and devices, is not run again. Trials that were stored earlier count as if
// they had just happened, so that a resumed sweep decides like an uninterrupted one.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "device/device.h"
#include "records/records.h"
#include "trial/launch/outcome.h"

namespace warpwright {

// Returns the time limit of each launch. On a device with a clock: 2 s or 20 times the board's best
// known time, whichever is longer; 10 s while no time is known. An emulated launch is bounded by
// its instruction count, which is the same on every machine; its time limit covers work that is not
// counted.
[[nodiscard]] std::chrono::milliseconds launch_time_limit(const DeviceInfo& device,
                                                          std::optional<double> best_us);

// Returns how long a worker may be silent after entering a phase (measure_worker.h; "" before the
// first): the limit of a launch and of the checks around it, but `patience` while it makes inputs
// or runs the reference, which nothing else bounds.
[[nodiscard]] std::chrono::milliseconds silence_limit(std::string_view phase,
                                                      std::chrono::milliseconds launch_limit,
                                                      std::chrono::milliseconds patience);

// Returns whether the phase is the contract's work, not the kernel's: a failure there is not the
// fault of any configuration.
[[nodiscard]] bool is_contract_phase(std::string_view phase);
// "while checking results"; "" before the first phase.
[[nodiscard]] std::string_view describe_phase(std::string_view phase);

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
