// Names that become macros of a source: parameters, and sizes with a `macro`. Some words cannot be
// used, because the source and its includes contain them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

// The reason why no macro may have that name ("it would change C++ itself"), or nullopt. Case
// matters: VALUE is harmless, but value is not.
[[nodiscard]] std::optional<std::string> harmful_macro(std::string_view name);

// A similar name that is harmless: VALUE.
[[nodiscard]] std::string harmless_name(std::string_view name);

}  // namespace warpwright
