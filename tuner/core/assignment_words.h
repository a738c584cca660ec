// Sizes and parameters as people type them: "rows=8192 V=50257" and "rows=8192,V=50257".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// The words between blanks, and between commas where NAME= or nothing follows: any other comma
// belongs to a value. Whether a word is NAME=VALUE is the caller's to say.
[[nodiscard]] std::vector<std::string> assignment_words(std::string_view text);
// Of all texts, in order. One without a word stays as it is, so that its reader refuses it.
[[nodiscard]] std::vector<std::string> assignment_words(const std::vector<std::string>& texts);

}  // namespace warpwright
