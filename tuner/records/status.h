// How a trial can end. A failed configuration is data: it is stored under one of these names with
// its reason, and with a code for why it failed.
#pragma once

#include <compare>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
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
// True when the trial proves a fault of the kernel: a later success, with other inputs, does not
// undo it.
[[nodiscard]] bool proves_fault(Status status);
// True when the kernel is not at fault: its results were right as far as they were checked.
[[nodiscard]] bool ran_right(Status status);

// Codes for why a trial failed, in addition to its status. Decisions read the codes; people read
// the reason.
enum class FailureCode {
  kNone,           // the status says everything
  kEmulatorLacks,  // kInvalid: the emulator does not execute this PTX
  kLaunchLimit,    // kInvalid: a launch that the device cannot run
  kRounding,       // kWrongResult: few elements miss their tolerance, by little, as rounding does
  kRuntimeFault,   // kLaunchFailed: the kernel began, and a fault ended it
  kDriverPeak,     // kImpossible: by a peak that clocks and widths give, not by a measured one
  kRequirement,    // kViolates
};

// The stored name: "none", "emulator_lacks", ...
[[nodiscard]] std::string_view failure_code_name(FailureCode code);
[[nodiscard]] std::optional<FailureCode> parse_failure_code(std::string_view name);
[[nodiscard]] std::span<const FailureCode> all_failure_codes();

struct FailureDetail {
  FailureCode code = FailureCode::kNone;
  // kLaunchLimit: the constraint that excludes such launches, "THREADS <= device.max_threads";
  // empty when no parameter decides. kRequirement: the requirement, "registers <= 128".
  std::string operand;
  // The end of the reason that suggests a change of the contract; not stored. Callers without a
  // contract omit it.
  std::string advice = {};

  friend auto operator<=>(const FailureDetail&, const FailureDetail&) = default;
};
// {"code", "operand"}; an unknown code is read as kNone.
void to_json(nlohmann::json& json, const FailureDetail& detail);
void from_json(const nlohmann::json& json, FailureDetail& detail);

// A reason with its detail.
struct FailureReason {
  FailureReason() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): most reasons have no detail.
  FailureReason(std::string the_text, FailureDetail the_detail = {});

  std::string text;
  FailureDetail detail;
};

// The detail of a trial that was stored without one, derived from the sentences of the versions
// that did so.
[[nodiscard]] FailureDetail detail_of_old_reason(Status status, std::string_view reason);

}  // namespace warpwright
