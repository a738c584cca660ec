// Names that become macros of a source: parameters, and sizes with a `macro`. Some words are no
// names for that, because the source, and what it includes, is written with them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

// What a macro of that name would change ("it would change C++ itself"), or nullopt. Case matters:
// VALUE is as good as any, where value is not.
[[nodiscard]] std::optional<std::string> harmful_macro(std::string_view name);

// A name like it that is harmless: VALUE.
[[nodiscard]] std::string harmless_name(std::string_view name);

}  // namespace warpwright
