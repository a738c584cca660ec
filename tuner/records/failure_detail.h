// Codes for why a trial failed, in addition to its status. Decisions read the codes; people read
// the reason.
#pragma once

#include <compare>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "records/status.h"

namespace warpwright {

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
