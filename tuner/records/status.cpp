#include "records/status.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

struct Named {
  Status status;
  std::string_view name;
};

// These names are stored in databases: add at the end, never rename.
constexpr std::array<Named, 14> kStatusNames = {{
    {Status::kOk, "ok"},
    {Status::kInvalid, "invalid"},
    {Status::kCompileFailed, "compile_failed"},
    {Status::kLaunchFailed, "launch_failed"},
    {Status::kWrongResult, "wrong_result"},
    {Status::kNondeterministic, "nondeterministic"},
    {Status::kHazard, "hazard"},
    {Status::kCrashed, "crashed"},
    {Status::kTimeout, "timeout"},
    {Status::kPruned, "pruned"},
    {Status::kNoisy, "noisy"},
    {Status::kViolates, "violates"},
    {Status::kImpossible, "impossible"},
    {Status::kNotCompiled, "not_compiled"},
}};

constexpr auto kStatuses = [] {
  std::array<Status, kStatusNames.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kStatusNames[i].status;
  return all;
}();

}  // namespace

std::string_view status_name(Status status) {
  for (const Named& named : kStatusNames) {
    if (named.status == status) return named.name;
  }
  check_failed("status has a name", __FILE__, __LINE__, "a status without a name");
}

std::optional<Status> parse_status(std::string_view name) {
  for (const Named& named : kStatusNames) {
    if (named.name == name) return named.status;
  }
  return std::nullopt;
}

std::span<const Status> all_statuses() { return kStatuses; }

bool settled(Status status) { return status != Status::kNoisy && status != Status::kNotCompiled; }

bool proves_fault(Status status) {
  return status == Status::kWrongResult || status == Status::kNondeterministic ||
         status == Status::kHazard;
}

bool ran_right(Status status) {
  return status == Status::kOk || status == Status::kPruned || status == Status::kNoisy;
}

namespace {

// These names are stored in databases: add at the end, never rename.
constexpr std::array<std::pair<FailureCode, std::string_view>, 7> kFailureNames = {{
    {FailureCode::kNone, "none"},
    {FailureCode::kEmulatorLacks, "emulator_lacks"},
    {FailureCode::kLaunchLimit, "launch_limit"},
    {FailureCode::kRounding, "rounding"},
    {FailureCode::kRuntimeFault, "runtime_fault"},
    {FailureCode::kDriverPeak, "driver_peak"},
    {FailureCode::kRequirement, "requirement"},
}};

constexpr auto kFailureCodes = [] {
  std::array<FailureCode, kFailureNames.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kFailureNames[i].first;
  return all;
}();

// Returns the text between `open` and `close`; nullopt if either is missing.
std::optional<std::string> between(std::string_view text, std::string_view open,
                                   std::string_view close) {
  const std::size_t at = text.find(open);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + open.size());
  const std::size_t end = text.find(close);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(0, end));
}

}  // namespace

std::string_view failure_code_name(FailureCode code) {
  for (const auto& [known, name] : kFailureNames)
    if (known == code) return name;
  check_failed("a failure's code has a name", __FILE__, __LINE__, "a code without a name");
}

std::optional<FailureCode> parse_failure_code(std::string_view name) {
  for (const auto& [code, known] : kFailureNames)
    if (known == name) return code;
  return std::nullopt;
}

std::span<const FailureCode> all_failure_codes() { return kFailureCodes; }

void to_json(nlohmann::json& json, const FailureDetail& detail) {
  json = {{"code", failure_code_name(detail.code)}, {"operand", detail.operand}};
}

void from_json(const nlohmann::json& json, FailureDetail& detail) {
  detail.code = parse_failure_code(json.at("code").get<std::string>()).value_or(FailureCode::kNone);
  json.at("operand").get_to(detail.operand);
}

FailureReason::FailureReason(std::string the_text, FailureDetail the_detail)
    : text(std::move(the_text)), detail(std::move(the_detail)) {}

FailureDetail detail_of_old_reason(Status status, std::string_view reason) {
  constexpr std::string_view kViolates = "violates ";
  const auto says = [&](std::string_view words) {
    return reason.find(words) != std::string_view::npos;
  };
  switch (status) {
    case Status::kInvalid:
      if (says("emulator lacks")) return {FailureCode::kEmulatorLacks, ""};
      if (const auto constraint = between(reason, "add a constraint such as \"", "\""))
        return {FailureCode::kLaunchLimit, *constraint};
      return {};
    case Status::kWrongResult:
      return {says("looks like rounding") ? FailureCode::kRounding : FailureCode::kNone, ""};
    case Status::kLaunchFailed:
      return {says("while running ") ? FailureCode::kRuntimeFault : FailureCode::kNone, ""};
    case Status::kImpossible:
      return {says("(by its ") ? FailureCode::kDriverPeak : FailureCode::kNone, ""};
    case Status::kViolates:
      // "violates REQUIREMENT: GOT"; a requirement may have a colon of its own.
      if (const std::size_t got = reason.rfind(": ");
          got != std::string_view::npos && reason.starts_with(kViolates))
        return {FailureCode::kRequirement,
                std::string(reason.substr(kViolates.size(), got - kViolates.size()))};
      return {};
    default:
      return {};
  }
}

}  // namespace warpwright
