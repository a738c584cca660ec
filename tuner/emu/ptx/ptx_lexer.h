// Splits PTX text into tokens. Dotted opcodes and `::` qualifiers stay in one token
// ("ld.global.L1::no_allocate"), comments are removed, and every token has its PTX line number.
// Tokens are views: the text must outlive them.
#pragma once

#include <string_view>
#include <vector>

namespace warpwright::emu {

struct Token {
  enum class Kind { kWord, kNumber, kString, kPunctuation, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text;
  int line = 0;
};

// Throws Error (user) at a character that is not part of the PTX syntax.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text, std::string_view name);

}  // namespace warpwright::emu
