// What becomes of a configuration that works although the emulator's checkers object to it. A fault
// (an access outside, a deadlock) is neither's to forgive.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

enum class HazardPolicy {
  kReject,  // it fails, with what the checkers found as its reason
  kWarn,    // it is judged by its results; what the checkers found is kept with it
};
// "reject", "warn"; nullopt for anything else.
[[nodiscard]] std::optional<HazardPolicy> find_hazard_policy(std::string_view name);
// Why find_hazard_policy() found none: "got 'wran', expected reject or warn; did you mean 'warn'?".
[[nodiscard]] std::string unknown_hazard_policy(std::string_view name);
[[nodiscard]] std::string_view hazard_policy_name(HazardPolicy policy);

}  // namespace warpwright
