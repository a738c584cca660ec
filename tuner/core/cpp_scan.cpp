#include "core/cpp_scan.h"

#include <algorithm>
#include <array>

#include "core/words.h"

namespace warpwright {
namespace {

enum class Part { kCode, kLineComment, kBlockComment, kQuoted, kDirective };

// A stretch of one kind, with its delimiters.
struct Stretch {
  Part part = Part::kCode;
  std::size_t begin = 0, end = 0;
};

enum class Piece { kText, kComment, kSplice };  // of a directive

constexpr std::size_t kNone = std::string_view::npos;

bool is_word_character(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// The length of a backslash and the line end after it, 0 for anything else.
std::size_t splice_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '\\') return 0;
  if (text.substr(at + 1, 1) == "\n") return 2;
  return text.substr(at + 1, 2) == "\r\n" ? 3 : 0;
}

std::size_t past_splices(std::string_view text, std::size_t at) {
  while (const std::size_t length = splice_at(text, at)) at += length;
  return at;
}

// The end of the line that contains `at`; lines joined by a backslash count as one.
std::size_t line_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::size_t last = end;
    if (last > at && text[last - 1] == '\r') --last;
    if (last == at || text[last - 1] != '\\') return end;
    at = end + 1;
  }
  return text.size();
}

// Finds the end of "*/", which may have splices between its two characters.
std::size_t block_end(std::string_view text, std::size_t at) {
  for (at = text.find('*', at); at != kNone; at = text.find('*', at + 1)) {
    const std::size_t slash = past_splices(text, at + 1);
    if (slash < text.size() && text[slash] == '/') return slash + 1;
  }
  return text.size();
}

// Returns the position after the closing quote, or the end of the line if there is none.
std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (const std::size_t splice = splice_at(text, i)) {
      i += splice - 1;
    } else if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    } else if (text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

// Scans R"x( ... )x"; `at` is the position of the quote. If the delimiter is invalid, it is scanned
// as an ordinary string.
std::size_t raw_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestDelimiter = 16;
  const std::size_t open = text.find_first_of("() \\\t\v\f\n\"", at + 1);
  if (open == kNone || text[open] != '(' || open - at - 1 > kLongestDelimiter)
    return quoted_end(text, at);
  const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == kNone ? text.size() : end + close.size();
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

// Splits a source into stretches; each character belongs to exactly one.
class CppLexer {
 public:
  explicit CppLexer(std::string_view text) : text_(text) {}

  [[nodiscard]] std::vector<Stretch> stretches() {
    for (std::size_t i = 0; i < text_.size();) i = step(i);
    if (code_ < text_.size()) all_.push_back({Part::kCode, code_, text_.size()});
    return std::move(all_);
  }

  // Visits the pieces of the directive that begins at `begin`: `visit` receives the bounds and the
  // kind of each piece. Returns the position where the directive ends.
  template <class Visit>
  [[nodiscard]] std::size_t walk_directive(std::size_t begin, Visit visit) const {
    std::string word;  // the last word, across splices
    bool word_goes_on = false;
    std::size_t i = begin;
    while (i < text_.size() && text_[i] != '\n') {
      std::size_t end = i + 1;
      if (const std::size_t splice = splice_at(text_, i)) {
        visit(i, i + splice, Piece::kSplice);
        i += splice;
        continue;
      }
      Piece piece = Piece::kText;
      const char c = text_[i];
      const std::size_t behind = past_splices(text_, i + 1);
      const char next = character(behind);
      if (c == '/' && next == '/') {
        end = line_end(text_, i);
        piece = Piece::kComment;
      } else if (c == '/' && next == '*') {
        end = block_end(text_, behind + 1);
        piece = Piece::kComment;
      } else if (c == '<' && names_header(word)) {
        // The name of a header may contain anything.
        const std::size_t close = text_.find_first_of(">\n", i);
        if (close != kNone && text_[close] == '>') end = close + 1;
      } else if (c == '"' || c == '\'') {
        end = quoted_end(text_, i);
      } else if (is_digit(c) && !word_goes_on) {
        end = number_token_end(text_, i);
      } else if (is_word_character(c)) {
        while (end < text_.size() && is_word_character(text_[end])) ++end;
        word = (word_goes_on ? word : "") + std::string(text_.substr(i, end - i));
        if (character(end) == '"' && is_raw_prefix(word)) end = raw_end(text_, end);
      }
      word_goes_on = piece == Piece::kText && is_word_character(c);
      if (!word_goes_on && piece == Piece::kText && !is_gap(c) && c != '(') word.clear();
      visit(i, end, piece);
      i = end;
    }
    return i;
  }

 private:
  [[nodiscard]] char character(std::size_t at) const {
    return at < text_.size() ? text_[at] : '\0';
  }

  std::size_t add(Part part, std::size_t begin, std::size_t end) {
    if (code_ < begin) all_.push_back({Part::kCode, code_, begin});
    all_.push_back({part, begin, end});
    code_ = end;
    return end;
  }

  // Scans the token at `i`; returns the position where the next one begins.
  std::size_t step(std::size_t i) {
    const char c = text_[i];
    const std::size_t behind = past_splices(text_, i + 1);
    const char next = character(behind);
    if (c == '\n') {
      line_begins_ = true;
      return i + 1;
    }
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (i == 0 && text_.starts_with(kByteOrderMark)) return kByteOrderMark.size();
    if (is_gap(c)) return i + 1;
    if (const std::size_t splice = splice_at(text_, i)) return i + splice;
    if (c == '/' && next == '/') return add(Part::kLineComment, i, line_end(text_, i));
    if (c == '/' && next == '*') {
      const std::size_t end = block_end(text_, behind + 1);
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
    if (character(end) == '"' && is_raw_prefix(text_.substr(i, end - i)))
      return add(Part::kQuoted, end, raw_end(text_, end));
    return end;
  }

  std::string_view text_;
  std::vector<Stretch> all_;
  std::size_t code_ = 0;  // begin of the code that is not in a stretch yet
  bool line_begins_ = true;
};

CppDirective directive_at(std::string_view source, const Stretch& stretch) {
  CppDirective one;
  const auto put = [&one](char c, std::size_t from) {
    one.text += c;
    one.from.push_back(from);
  };
  const std::size_t end = CppLexer(source).walk_directive(
      stretch.begin, [&](std::size_t from, std::size_t to, Piece piece) {
        if (piece == Piece::kComment) put(' ', from);
        if (piece != Piece::kText) return;
        for (std::size_t i = from; i < to;) {
          if (const std::size_t splice = splice_at(source, i)) {
            i += splice;
          } else {
            put(source[i] == '\f' || source[i] == '\v' ? ' ' : source[i], i);
            ++i;
          }
        }
      });
  while (!one.text.empty() && is_gap(one.text.back())) {
    one.text.pop_back();
    one.from.pop_back();
  }
  one.from.push_back(one.from.empty() ? end : one.from.back() + 1);
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
    const std::size_t second = past_splices(source, one.begin + 1);
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
  for (const Stretch& one : CppLexer(source).stretches())
    if (one.part == Part::kDirective) directives.push_back(directive_at(source, one));
  return directives;
}

std::string without_nested_comments(std::string_view source) {
  std::string text(source);
  const auto blank_within = [&text](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 2; i + 1 < end; ++i)
      if (text[i] == '/' && text[i + 1] == '*') text[i] = ' ';
  };
  const CppLexer lexer(source);
  for (const Stretch& one : CppLexer(source).stretches()) {
    if (one.part == Part::kBlockComment) blank_within(one.begin, one.end);
    if (one.part != Part::kDirective) continue;
    static_cast<void>(
        lexer.walk_directive(one.begin, [&](std::size_t begin, std::size_t end, Piece piece) {
          if (piece == Piece::kComment && source[begin + 1] != '/') blank_within(begin, end);
        }));
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
