#include "core/expr/expr_lexer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/terminal_text.h"
#include "core/words.h"

namespace warpwright {
namespace {

// Locale-independent, unlike <cctype>.
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

// Longer symbols come first, so that "<<" is not read as two "<". The second line holds spellings
// of other languages, which the parser rejects with a hint.
constexpr std::array<std::string_view, 30> kSymbols = {
    "<<", ">>", "&&", "||", "==", "!=", "<=", ">=",                                //
    "//", "**", "<>",                                                              //
    "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|", "^", "~", "!", "?", ":",  //
    "(",  ")",  ",",  "[",  "]"};

constexpr std::uint64_t kMaxMagnitude = std::uint64_t{1} << 63;

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (;;) {
      while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
      if (position_ == text_.size()) {
        tokens.push_back(token(TokenKind::kEnd, position_));
        return tokens;
      }
      tokens.push_back(next());
    }
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  [[nodiscard]] static Token token(TokenKind kind, std::size_t offset, std::string text = {}) {
    Token result;
    result.kind = kind;
    result.offset = static_cast<int>(offset);
    result.text = std::move(text);
    return result;
  }

  [[noreturn]] static void fail(std::size_t offset, std::string what, std::string hint = {}) {
    throw ExprFault{static_cast<int>(offset), std::move(what), std::move(hint)};
  }

  Token next() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_name_start(c)) return name();
    if (c == '\'' || c == '"') return string();
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(position_, symbol.size()) == symbol) {
        Token result = token(TokenKind::kSymbol, position_, std::string(symbol));
        position_ += symbol.size();
        return result;
      }
    }
    if (c == '=') fail(position_, "unexpected '='", "; write '==' to compare");
    if (c > ' ' && c < '\x7f') fail(position_, fmt::format("unexpected character '{}'", c));
    fail(position_, fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)));
  }

  // Reads greedily and validates afterwards, so that a message shows the malformed number in full.
  Token number() {
    const std::size_t start = position_;
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    bool real = false;
    if (hex) {
      position_ += 2;
      while (is_name_part(peek())) ++position_;
    } else {
      while (is_digit(peek())) ++position_;
      if (peek() == '.') {
        real = true;
        ++position_;
        while (is_digit(peek())) ++position_;
      }
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
        real = true;
        position_ += 2 + sign;
        while (is_digit(peek())) ++position_;
      }
      while (is_name_part(peek()) || peek() == '.') ++position_;  // an invalid tail, shown below
    }
    const std::string_view spelled = text_.substr(start, position_ - start);
    Token result =
        token(real ? TokenKind::kReal : TokenKind::kInteger, start, std::string(spelled));
    const char* first = spelled.data() + (hex ? 2 : 0);
    const char* last = spelled.data() + spelled.size();
    std::from_chars_result read{};
    if (real) {
      read = std::from_chars(first, last, result.real);
    } else {
      read = std::from_chars(first, last, result.magnitude, hex ? 16 : 10);
    }
    if (read.ec == std::errc::result_out_of_range || result.magnitude > kMaxMagnitude) {
      fail(start, fmt::format("number {} is too large", spelled));
    }
    if (read.ec != std::errc{} || read.ptr != last) {
      fail(start, fmt::format("malformed number '{}'", shown_name(spelled)));
    }
    // C reads 010 as eight and most people as ten.
    if (!real && !hex && spelled.size() > 1 && spelled[0] == '0') {
      fail(start, fmt::format("number '{}' starts with 0", shown_name(spelled)),
           "; write it without the zero");
    }
    return result;
  }

  // A dot joins only names: "device.max_shared", but not "A.5".
  Token name() {
    const std::size_t start = position_;
    while (is_name_part(peek()) || (peek() == '.' && is_name_start(peek(1)))) ++position_;
    std::string spelled(text_.substr(start, position_ - start));
    if (spelled == "and") return token(TokenKind::kSymbol, start, "&&");
    if (spelled == "or") return token(TokenKind::kSymbol, start, "||");
    if (spelled == "not") return token(TokenKind::kSymbol, start, "not");
    return token(TokenKind::kName, start, std::move(spelled));
  }

  // A backslash escapes the next character; there are no other escapes.
  Token string() {
    const std::size_t start = position_;
    const char quote = text_[position_++];
    std::string content;
    while (position_ < text_.size() && peek() != quote) {
      if (peek() == '\\' && position_ + 1 < text_.size()) ++position_;
      content += text_[position_++];
    }
    if (position_ >= text_.size()) fail(start, fmt::format("string without its closing {}", quote));
    ++position_;
    return token(TokenKind::kString, start, std::move(content));
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

std::string Token::describe() const {
  switch (kind) {
    case TokenKind::kEnd:
      return "the end";
    case TokenKind::kString:
      return fmt::format("string '{}'", shown_name(text));
    default:
      return fmt::format("'{}'", shown_name(text));
  }
}

std::vector<Token> lex_expression(std::string_view text) { return Lexer(text).run(); }

}  // namespace warpwright
