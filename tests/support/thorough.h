// Whether tests do all that they could (`scripts/test --thorough`) or as much as every change waits
// for.
#pragma once

#include <cstdlib>
#include <string_view>

namespace warpwright::testing {

inline bool is_thorough() {
  const char* setting = std::getenv("WARPWRIGHT_THOROUGH");
  return setting != nullptr && std::string_view(setting) == "1";
}

}  // namespace warpwright::testing
