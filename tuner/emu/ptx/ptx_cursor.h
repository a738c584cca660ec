// The tokens of a PTX text and a position in them, with the checks and number parsing that every
// part of the parser needs. Errors are Error (user) with the PTX line, because NVRTC passes inline
// assembly through unchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

struct Token {
  enum class Kind { kWord, kNumber, kString, kPunctuation, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text;
  int line = 0;
};

// Splits PTX text into tokens. Dotted opcodes and `::` qualifiers stay in one token
// ("ld.global.L1::no_allocate"), comments are removed, and every token has its PTX line number.
// Tokens are views: the text must outlive them. Throws Error (user) at a character that is not part
// of the PTX syntax.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text, std::string_view name);

// Bytes of a fundamental type by its PTX name without the dot; 0 for an unknown one.
[[nodiscard]] std::size_t ptx_type_bytes(std::string_view type);
// The space that a word such as ".global" names.
[[nodiscard]] std::optional<Space> ptx_space(std::string_view word);

class PtxCursor {
 public:
  PtxCursor(std::string_view text, std::string_view name)
      : name_(name), tokens_(tokenize(text, name)) {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  [[nodiscard]] bool is(std::string_view text) const;
  [[nodiscard]] bool at_end() const { return peek().kind == Token::Kind::kEnd; }
  [[nodiscard]] bool at_word() const { return peek().kind == Token::Kind::kWord; }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  void skip_statement();  // up to and including ';'
  void skip_parentheses();
  [[noreturn]] void fail(const std::string& what) const;

  [[nodiscard]] std::uint64_t integer_value(std::string_view text) const;
  std::uint64_t integer() { return integer_value(next().text); }
  std::int64_t signed_integer();
  Operand number();  // an immediate

 private:
  std::string_view name_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace warpwright::emu
