// How a trial can end. A failed configuration is data: it is stored under one of these names with
// its reason.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace warpwright {

enum class Status {
  kOk,       // validated, and timed or modelled
  kInvalid,  // rejected before it ran: constraints or limits of the device, or PTX the emulator
             // lacks
  kCompileFailed,
  kLaunchFailed,  // the driver or the emulator refused or aborted the launch
  kWrongResult,
  kNondeterministic,
  kHazard,   // a checker found a race, an unfinished copy, an uninitialised read
  kCrashed,  // the worker process died
  kTimeout,
  kPruned,       // stopped early because it is certainly slower; it has a bound, not a time
  kNoisy,        // ran right, but the clocks moved during too many of its samples: it has no time
  kViolates,     // breaks a requirement of its sweep; found in the compiled code, it never ran
  kImpossible,   // its time is shorter than its work needs on the device (metrics/peaks.h)
  kNotCompiled,  // the machine stopped the compiler: the configuration was not judged
};

// The stored name: "ok", "invalid", "compile_failed", ...
[[nodiscard]] std::string_view status_name(Status status);
[[nodiscard]] std::optional<Status> parse_status(std::string_view name);
[[nodiscard]] std::span<const Status> all_statuses();

// False when the trial has no final result: a resuming sweep tries it again.
[[nodiscard]] bool settled(Status status);
// True when the kernel is not at fault: its results were right as far as they were checked.
[[nodiscard]] bool ran_right(Status status);

}  // namespace warpwright
