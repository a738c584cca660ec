#include "core/cpp_scan.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/words.h"

namespace warpwright {
namespace {

enum class Part { kCode, kLineComment, kBlockComment, kQuoted, kDirective };

// A stretch of one kind, with its delimiters.
struct Stretch {
  Part part = Part::kCode;
  std::size_t begin = 0, end = 0;
};

enum class Piece { kText, kComment };  // of a directive

constexpr std::size_t kNone = std::string_view::npos;

bool is_word_character(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// A source after its lines are joined where a backslash ends them, as compilers do before they look
// for tokens.
class JoinedText {
 public:
  explicit JoinedText(std::string_view source) {
    text_.reserve(source.size());
    std::size_t copied = 0;
    for (std::size_t at = source.find('\\'); at != kNone; at = source.find('\\', at + 1)) {
      const std::size_t length = line_join_at(source, at);
      if (length == 0) continue;
      text_.append(source, copied, at - copied);
      copied = at + length;
      parts_.push_back({text_.size(), copied});
    }
    text_.append(source, copied);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  // Returns the source offset of a character, or of the end.
  [[nodiscard]] std::size_t place(std::size_t position) const {
    const auto next = std::upper_bound(
        parts_.begin(), parts_.end(), position,
        [](std::size_t wanted, const Part& part) { return wanted < part.position; });
    const Part& part = *std::prev(next);
    return part.place + (position - part.position);
  }

  // Returns the position of a source offset, or of the first character behind it.
  [[nodiscard]] std::size_t position(std::size_t place) const {
    const auto next =
        std::upper_bound(parts_.begin(), parts_.end(), place,
                         [](std::size_t wanted, const Part& part) { return wanted < part.place; });
    const Part& part = *std::prev(next);
    return std::min(part.position + (place - part.place),
                    next == parts_.end() ? text_.size() : next->position);
  }

  // Returns the length of a backslash and the line end after it, 0 for anything else.
  static std::size_t line_join_at(std::string_view source, std::size_t at) {
    if (source.substr(at, 2) == "\\\n") return 2;
    return source.substr(at, 3) == "\\\r\n" ? 3 : 0;
  }

 private:
  struct Part {
    std::size_t position = 0;  // in the joined text
    std::size_t place = 0;     // in the source
  };

  std::string text_;
  std::vector<Part> parts_ = {{}};
};

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// Returns the position after "*/", or the end of the text if there is none.
std::size_t block_end(std::string_view text, std::size_t at) {
  const std::size_t end = text.find("*/", at);
  return end == kNone ? text.size() : end + 2;
}

// Returns the position after the closing quote, or the end of the line if there is none.
std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    } else if (text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

// Scans R"x( ... )x" in a source, in which no lines are joined; `at` is the position of the quote.
// kNone if the delimiter is invalid: then it is an ordinary string.
std::size_t raw_end(std::string_view source, std::size_t at) {
  constexpr std::size_t kLongestDelimiter = 16;
  const std::size_t open = source.find_first_of("() \\\t\v\f\n\"", at + 1);
  if (open == kNone || source[open] != '(' || open - at - 1 > kLongestDelimiter) return kNone;
  const std::string close = ")" + std::string(source.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = source.find(close, open);
  return end == kNone ? source.size() : end + close.size();
}

bool is_raw_prefix(std::string_view word) {
  constexpr std::array<std::string_view, 5> kPrefixes = {"R", "LR", "uR", "UR", "u8R"};
  return std::find(kPrefixes.begin(), kPrefixes.end(), word) != kPrefixes.end();
}

// The end of a preprocessing number: 1'000, 0x1p-3, 1.5f.
std::size_t number_token_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    if ((exponent && (next == '+' || next == '-')) || (c == '\'' && is_word_character(next))) {
      at += 2;
    } else if (is_word_character(c) || c == '.') {
      ++at;
    } else {
      return at;
    }
  }
  return at;
}

// Returns true if the directive may be followed by a name in angle brackets.
bool names_header(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {
      "include",       "include_next",       "import",     "embed",
      "__has_include", "__has_include_next", "__has_embed"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// Splits a source into stretches; each character belongs to exactly one. Positions within the class
// are those of the joined text.
class CppLexer {
 public:
  explicit CppLexer(std::string_view source) : source_(source), joined_(source) {}

  // In the source.
  [[nodiscard]] std::vector<Stretch> stretches() {
    for (std::size_t i = 0; i < text_.size();) i = step(i);
    std::vector<Stretch> result;
    std::size_t code = 0;
    for (const Stretch& one : all_) {
      const std::size_t begin = place(one.begin);
      if (code < begin) result.push_back({Part::kCode, code, begin});
      code = place(one.end - 1) + 1;
      result.push_back({one.part, begin, code});
    }
    if (code < source_.size()) result.push_back({Part::kCode, code, source_.size()});
    return result;
  }

  // Returns the source offset of a position.
  [[nodiscard]] std::size_t place(std::size_t position) const { return joined_.place(position); }

  // Visits the pieces of the directive that begins at `begin` of the source: `visit` receives the
  // positions where each piece begins and ends, and its kind.
  template <class Visit>
  void visit_directive(std::size_t begin, Visit visit) const {
    walk_directive(joined_.position(begin), visit);
  }

 private:
  [[nodiscard]] char character(std::size_t at) const {
    return at < text_.size() ? text_[at] : '\0';
  }

  // Returns the end of a string that begins with `prefix`, whose quote is at `at`.
  [[nodiscard]] std::size_t string_end(std::string_view prefix, std::size_t at) const {
    const std::size_t end = is_raw_prefix(prefix) ? raw_end(source_, place(at)) : kNone;
    return end == kNone ? quoted_end(text_, at) : joined_.position(end);
  }

  // Returns the position where the directive ends.
  template <class Visit>
  std::size_t walk_directive(std::size_t begin, Visit visit) const {
    std::string_view word;  // the last word; only blanks and a bracket may follow it
    std::size_t i = begin;
    while (i < text_.size() && text_[i] != '\n') {
      std::size_t end = i + 1;
      Piece piece = Piece::kText;
      const char c = text_[i];
      const char next = character(i + 1);
      if (c == '/' && next == '/') {
        end = line_end(text_, i);
        piece = Piece::kComment;
      } else if (c == '/' && next == '*') {
        end = block_end(text_, i + 2);
        piece = Piece::kComment;
      } else if (c == '<' && names_header(word)) {
        // The name of a header may contain anything.
        const std::size_t close = text_.find_first_of(">\n", i);
        if (close != kNone && text_[close] == '>') end = close + 1;
      } else if (c == '"' || c == '\'') {
        end = quoted_end(text_, i);
      } else if (is_digit(c)) {
        end = number_token_end(text_, i);
      } else if (is_word_character(c)) {
        while (end < text_.size() && is_word_character(text_[end])) ++end;
        word = text_.substr(i, end - i);
        if (character(end) == '"') end = string_end(word, end);
      }
      if (!is_word_character(c) && piece == Piece::kText && !is_gap(c) && c != '(') word = {};
      visit(i, end, piece);
      i = end;
    }
    return i;
  }

  std::size_t add(Part part, std::size_t begin, std::size_t end) {
    all_.push_back({part, begin, end});
    return end;
  }

  // Scans the token at `i`; returns the position where the next one begins.
  std::size_t step(std::size_t i) {
    const char c = text_[i];
    const char next = character(i + 1);
    if (c == '\n') {
      line_begins_ = true;
      return i + 1;
    }
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (i == 0 && text_.starts_with(kByteOrderMark)) return kByteOrderMark.size();
    if (is_gap(c)) return i + 1;
    if (c == '/' && next == '/') return add(Part::kLineComment, i, line_end(text_, i));
    if (c == '/' && next == '*') {
      const std::size_t end = block_end(text_, i + 2);
      if (text_.substr(i, end - i).find('\n') != kNone) line_begins_ = true;
      return add(Part::kBlockComment, i, end);
    }
    if (line_begins_ && (c == '#' || (c == '%' && next == ':'))) {
      return add(Part::kDirective, i, walk_directive(i, [](std::size_t, std::size_t, Piece) {}));
    }
    line_begins_ = false;
    if (c == '"' || c == '\'') return add(Part::kQuoted, i, quoted_end(text_, i));
    if (is_digit(c)) return number_token_end(text_, i);
    if (!is_word_character(c)) return i + 1;
    std::size_t end = i + 1;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    if (character(end) != '"') return end;
    return add(Part::kQuoted, end, string_end(text_.substr(i, end - i), end));
  }

  std::string_view source_;
  JoinedText joined_;
  std::string_view text_ = joined_.text();
  std::vector<Stretch> all_;  // of the joined text, without code
  bool line_begins_ = true;
};

CppDirective directive_at(std::string_view source, const CppLexer& lexer, const Stretch& stretch) {
  CppDirective one;
  const auto put = [&one](char c, std::size_t from) {
    one.text += c;
    one.from.push_back(from);
  };
  lexer.visit_directive(stretch.begin, [&](std::size_t begin, std::size_t end, Piece piece) {
    if (piece == Piece::kComment) return put(' ', lexer.place(begin));
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t place = lexer.place(i);
      put(source[place] == '\f' || source[place] == '\v' ? ' ' : source[place], place);
    }
  });
  while (!one.text.empty() && is_gap(one.text.back())) {
    one.text.pop_back();
    one.from.pop_back();
  }
  one.from.push_back(one.from.empty() ? stretch.end : one.from.back() + 1);
  if (one.text.starts_with("%:")) {
    one.text.replace(0, 2, "#");
    one.from.erase(one.from.begin() + 1);
  }
  return one;
}

std::size_t skip_gaps(std::string_view text, std::size_t at) {
  while (at < text.size() && is_gap(text[at])) ++at;
  return at;
}

}  // namespace

std::string_view CppDirective::word() const {
  const std::size_t begin = skip_gaps(text, 1);
  std::size_t end = begin;
  while (end < text.size() && is_word_character(text[end])) ++end;
  return std::string_view(text).substr(std::min(begin, text.size()), end - begin);
}

std::string_view CppDirective::rest() const {
  const std::string_view first = word();
  const auto behind = static_cast<std::size_t>(first.data() + first.size() - text.data());
  return std::string_view(text).substr(skip_gaps(text, behind));
}

std::vector<CppComment> find_comments(std::string_view source) {
  std::vector<CppComment> comments;
  int line = 1;
  std::size_t counted = 0;     // position up to which lines were counted
  std::size_t line_begin = 0;  // start of the last line that was counted
  bool only_blanks = true;     // between it and `counted`
  for (const Stretch& one : CppLexer(source).stretches()) {
    for (; counted < one.begin; ++counted) {
      if (source[counted] == '\n') {
        ++line;
        line_begin = counted + 1;
        only_blanks = true;
      } else if (source[counted] != ' ' && source[counted] != '\t') {
        only_blanks = false;
      }
    }
    const bool is_block = one.part == Part::kBlockComment;
    if (!is_block && one.part != Part::kLineComment) continue;
    CppComment comment;
    std::size_t second = one.begin + 1;
    while (const std::size_t length = JoinedText::line_join_at(source, second)) second += length;
    comment.text = source.substr(second + 1, one.end - second - 1);
    if (is_block && comment.text.ends_with("*/")) comment.text.remove_suffix(2);
    comment.line = line;
    comment.column = static_cast<int>(one.begin - line_begin) + 3;
    comment.is_block = is_block;
    comment.stands_alone = only_blanks;
    comments.push_back(comment);
  }
  return comments;
}

std::string code_alone(std::string_view source) {
  std::string code(source);
  for (const Stretch& one : CppLexer(source).stretches()) {
    if (one.part == Part::kCode) continue;
    // Keep the quotes, so that a quoted text does not vanish.
    const std::size_t inset = one.part == Part::kQuoted ? 1 : 0;
    for (std::size_t i = one.begin + inset; i + inset < one.end; ++i)
      if (code[i] != '\n') code[i] = ' ';
  }
  return code;
}

std::vector<CppDirective> find_directives(std::string_view source) {
  std::vector<CppDirective> directives;
  CppLexer lexer(source);
  for (const Stretch& one : lexer.stretches())
    if (one.part == Part::kDirective) directives.push_back(directive_at(source, lexer, one));
  return directives;
}

std::string without_nested_comments(std::string_view source) {
  std::string text(source);
  const auto blank_within = [&text](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 2; i + 1 < end; ++i)
      if (text[i] == '/' && text[i + 1] == '*') text[i] = ' ';
  };
  CppLexer lexer(source);
  for (const Stretch& one : lexer.stretches()) {
    if (one.part == Part::kBlockComment) blank_within(one.begin, one.end);
    if (one.part != Part::kDirective) continue;
    lexer.visit_directive(one.begin, [&](std::size_t begin, std::size_t end, Piece piece) {
      if (piece == Piece::kComment && source[lexer.place(begin + 1)] != '/')
        blank_within(lexer.place(begin), lexer.place(end - 1) + 1);
    });
  }
  return text;
}

std::string without_escapes(std::string_view quoted) {
  constexpr std::string_view kLetters = "abfnrtv";
  constexpr std::string_view kStandFor = "\a\b\f\n\r\t\v";
  std::string text;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      text += quoted[i];
      continue;
    }
    const char c = quoted[++i];
    if (c >= '0' && c <= '7') {
      int code = 0;
      std::size_t digits = 0;
      for (; digits < 3 && i < quoted.size() && quoted[i] >= '0' && quoted[i] <= '7'; ++digits)
        code = code * 8 + (quoted[i++] - '0');
      --i;
      text += static_cast<char>(code);
    } else if (const std::size_t letter = kLetters.find(c); letter != kNone) {
      text += kStandFor[letter];
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace warpwright
