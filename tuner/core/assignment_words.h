// Parses sizes and parameters as people type them: "rows=8192 V=50257" and "rows=8192,V=50257".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// Splits the text at blanks, and at commas followed by NAME= or nothing; any other comma belongs to
// a value. The caller decides whether a word is a valid NAME=VALUE.
[[nodiscard]] std::vector<std::string> assignment_words(std::string_view text);
// Splits all texts, in order. A text without a word is kept unchanged, so that its parser rejects
// it.
[[nodiscard]] std::vector<std::string> assignment_words(const std::vector<std::string>& texts);

}  // namespace warpwright
