#include "emu/ptx/ptx_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

#include "core/error.h"
#include "core/words.h"

namespace warpwright::emu {
namespace {

bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%' || c == '.'; }
bool continues_word(char c) { return starts_word(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 5);
    while (skip_blanks()) {
      const char c = text_[at_];
      if (starts_word(c)) {
        take(Token::Kind::kWord, word_end());
      } else if (is_digit(c)) {
        take(Token::Kind::kNumber, number_end());
      } else if (c == '"') {
        take(Token::Kind::kString, string_end());
      } else if (std::string_view("{}()[]<>,;:@!|+-=*").find(c) != std::string_view::npos) {
        take(Token::Kind::kPunctuation, at_ + 1);
      } else {
        fail(fmt::format("unexpected character '{}'", c));
      }
    }
    tokens_.push_back({Token::Kind::kEnd, {}, line_});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] std::size_t string_end() const {
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '"') return i + 1;
      if (text_[i] == '\\') ++i;
    }
    fail("unterminated string");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw user_error(SourceLocation{std::string(name_), line_, 0}, "PTX: " + what);
  }

  // Returns false at the end of the text.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\0') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) fail("unterminated comment");
        for (std::size_t i = at_; i < close; ++i) line_ += text_[i] == '\n' ? 1 : 0;
        at_ = close + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::size_t word_end() const {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      if (text_[at_] == '.' && text_[end] == '.') break;  // `.reg.b32` is two directives
      if (continues_word(text_[end])) {
        ++end;
      } else if (text_.substr(end, 2) == "::" && end + 2 < text_.size() &&
                 continues_word(text_[end + 2])) {
        end += 2;
      } else {
        break;
      }
    }
    return end;
  }

  // 12, 0x1F, 0f3F800000, 0d3FF0000000000000, 1.5, 1e-3, 7U
  [[nodiscard]] std::size_t number_end() const {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool exponent_sign = (c == '-' || c == '+') &&
                                 (text_[end - 1] == 'e' || text_[end - 1] == 'E') &&
                                 text_.substr(at_, 2) != "0x" && text_.substr(at_, 2) != "0f" &&
                                 text_.substr(at_, 2) != "0d";
      if (!is_digit(c) && !is_letter(c) && c != '.' && !exponent_sign) break;
      ++end;
    }
    return end;
  }

  void take(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, text_.substr(at_, end - at_), line_});
    at_ = end;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, std::string_view name) {
  return Lexer(text, name).run();
}

std::size_t ptx_type_bytes(std::string_view type) {
  if (type == "pred") return 1;
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  std::size_t bits = 0;
  std::from_chars(type.data() + digits, type.data() + type.size(), bits);
  const bool exists = bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  return exists ? bits / 8 * (type.ends_with("x2") ? 2 : 1) : 0;
}

std::optional<Space> ptx_space(std::string_view word) {
  if (word == ".global") return Space::kGlobal;
  if (word == ".const") return Space::kConst;
  if (word == ".shared") return Space::kShared;
  if (word == ".local") return Space::kLocal;
  if (word == ".param") return Space::kParam;
  return std::nullopt;
}

const Token& PtxCursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& PtxCursor::next() { return tokens_[at_ < tokens_.size() - 1 ? at_++ : at_]; }

bool PtxCursor::is(std::string_view text) const {
  return peek().text == text && peek().kind != Token::Kind::kString;
}

bool PtxCursor::accept(std::string_view text) {
  if (!is(text)) return false;
  next();
  return true;
}

void PtxCursor::expect(std::string_view text) {
  if (!accept(text)) fail(fmt::format("expected '{}', got '{}'", text, peek().text));
}

void PtxCursor::skip_statement() {
  while (!at_end() && !accept(";")) next();
}

void PtxCursor::skip_parentheses() {
  expect("(");
  while (!at_end() && !accept(")")) next();
}

void PtxCursor::fail(const std::string& what) const {
  throw user_error(SourceLocation{std::string(name_), peek().line, 0}, "PTX: " + what);
}

std::uint64_t PtxCursor::integer_value(std::string_view text) const {
  while (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    fail(fmt::format("bad number '{}'", text));
  return value;
}

std::int64_t PtxCursor::signed_integer() {
  accept("+");
  const bool negative = accept("-");  // also the second sign of [%rd41+-4]
  const std::uint64_t value = integer();
  return static_cast<std::int64_t>(negative ? ~value + 1 : value);
}

// 12, -3 (the sign is the caller's), 0x1F, 0f3F800000, 0d3FF0000000000000, 1.5
Operand PtxCursor::number() {
  const std::string_view text = next().text;
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  const char tag = text.size() > 2 && text[0] == '0' ? text[1] : '\0';
  if (tag == 'f' || tag == 'F' || tag == 'd' || tag == 'D') {
    std::from_chars(text.data() + 2, text.data() + text.size(), operand.bits, 16);
    operand.is_single = tag == 'f' || tag == 'F';
    operand.is_float = !operand.is_single;
  } else if (tag != 'x' && tag != 'X' && text.find_first_of(".eE") != std::string_view::npos) {
    operand.is_float = true;
    operand.bits = std::bit_cast<std::uint64_t>(std::strtod(std::string(text).c_str(), nullptr));
  } else {
    operand.bits = integer_value(text);
  }
  return operand;
}

}  // namespace warpwright::emu
