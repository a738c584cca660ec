// Checks on the bytes of a YAML file before yaml-cpp sees them: what it would silently misread
// (NUL, a Ctrl-D it takes for the end of the file) or report unhelpfully (tabs).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwright {

// Throws Error (user) on too many bytes, bytes that are not UTF-8, control characters and tabs in
// indentation.
void check_yaml_text(std::string_view text, const std::string& file, std::string_view kind);

// Throws Error (user) when `bytes` is above kMaxYamlBytes.
void check_yaml_size(std::size_t bytes, const std::string& file, std::string_view kind);

}  // namespace warpwright
