#include "spec/hazard_policy.h"

#include <fmt/format.h>

#include <vector>

#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::string_view kReject = "reject";
constexpr std::string_view kWarn = "warn";

}  // namespace

std::optional<HazardPolicy> find_hazard_policy(std::string_view name) {
  if (name == kReject) return HazardPolicy::kReject;
  if (name == kWarn) return HazardPolicy::kWarn;
  return std::nullopt;
}

std::string unknown_hazard_policy(std::string_view name) {
  const std::vector<std::string> known = {std::string(kReject), std::string(kWarn)};
  const std::optional<std::string> meant = nearest(name, known);
  return fmt::format("got '{}', expected {} or {}{}", name, kReject, kWarn,
                     meant ? fmt::format("; did you mean '{}'?", *meant) : "");
}

std::string_view hazard_policy_name(HazardPolicy policy) {
  return policy == HazardPolicy::kReject ? kReject : kWarn;
}

}  // namespace warpwright
