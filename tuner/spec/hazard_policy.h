// The policy for a configuration that works although the emulator's checkers report a hazard. A
// fault (an out-of-bounds access, a deadlock) is always fatal, under either policy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

enum class HazardPolicy {
  kReject,  // it fails, with the checkers' findings as its reason
  kWarn,    // its results decide; the checkers' findings are stored with it
};
// Parses "reject" or "warn"; nullopt for anything else.
[[nodiscard]] std::optional<HazardPolicy> find_hazard_policy(std::string_view name);
// Why find_hazard_policy() found none: "got 'wran', expected reject or warn; did you mean 'warn'?".
[[nodiscard]] std::string unknown_hazard_policy(std::string_view name);
[[nodiscard]] std::string_view hazard_policy_name(HazardPolicy policy);

}  // namespace warpwright
