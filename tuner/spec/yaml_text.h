// Checks the bytes of a YAML file before yaml-cpp reads them, for input that it would silently
// misread (NUL, or a Ctrl-D, which it takes for the end of the file) or report unhelpfully (tabs).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwright {

// Throws Error (user) on too many bytes, bytes that are not UTF-8, control characters and tabs in
// indentation.
void check_yaml_text(std::string_view text, const std::string& file, std::string_view kind);

// Throws Error (user) if `bytes` exceeds kMaxYamlBytes.
void check_yaml_size(std::size_t bytes, const std::string& file, std::string_view kind);

}  // namespace warpwright
