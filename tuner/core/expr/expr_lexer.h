// Splits the text of an expression into tokens. Internal to core.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct ExprLet;  // core/expr/expr_node.h

enum class TokenKind { kEnd, kInteger, kReal, kString, kName, kSymbol };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int offset = 0;
  std::string text;             // the symbol, the name, or the content of a string
  std::uint64_t magnitude = 0;  // kInteger; at most 2^63, which only a minus sign makes valid
  double real = 0;              // kReal

  // For messages: "'+'", "'THREADS'", "string 'bf16'", "the end".
  [[nodiscard]] std::string describe() const;
};

// Thrown while an expression is parsed or evaluated; Expr turns it into an Error with the place and
// a caret.
struct ExprFault {
  int offset = 0;
  std::string what;
  std::string hint;                         // follows the quoted expression: "; did you mean 'x'?"
  std::shared_ptr<const ExprLet> let = {};  // whose text `offset` refers to, if set
  bool unknown_name = false;
};

// `and`, `or` and `not` arrive as the symbols "&&" and "||" and as "not". The last token is kEnd.
// Throws ExprFault.
[[nodiscard]] std::vector<Token> lex_expression(std::string_view text);

}  // namespace warpwright
