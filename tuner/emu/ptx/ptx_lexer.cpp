#include "emu/ptx/ptx_lexer.h"

#include <fmt/format.h>

#include "core/error.h"

namespace warpwright::emu {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' ||
         c == '.';
}
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
    throw user_error(SourcePosition{std::string(name_), line_, 0}, "PTX: " + what);
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
      if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '.' &&
          !exponent_sign)
        break;
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

}  // namespace warpwright::emu
