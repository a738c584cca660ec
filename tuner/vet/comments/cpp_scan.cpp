#include "vet/comments/cpp_scan.h"

#include <algorithm>
#include <cctype>

#include "vet/comments/letters.h"

namespace warpwright {
namespace {

enum class Part { kCode, kLineComment, kBlockComment, kQuoted, kDirective };

// One stretch of a kind, with its delimiters.
struct Stretch {
  Part part = Part::kCode;
  std::size_t begin = 0, end = 0;
};

// The end of the line at `at`, of the next one where a backslash continues it.
std::size_t line_end(std::string_view text, std::size_t at, bool continued) {
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::size_t last = end;
    if (last > at && text[last - 1] == '\r') --last;
    if (!continued || last == at || text[last - 1] != '\\') return end;
    at = end + 1;
  }
  return text.size();
}

// Behind the closing quote; at the end of the line where there is none.
std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    } else if (text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

// R"x( ... )x"; `at` is the quote.
std::size_t raw_end(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos || open - at > 17) return quoted_end(text, at);
  const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

bool is_raw(std::string_view text, std::size_t quote) {
  return quote > 0 && text[quote - 1] == 'R' && (quote < 2 || !is_word(text[quote - 2]));
}

// 1'000: no quote.
bool separates_digits(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_word(text[at - 1]) && is_word(text[at + 1]) &&
         is_digit(text[at - 1]);
}

std::vector<Stretch> stretches(std::string_view text) {
  std::vector<Stretch> all;
  std::size_t code = 0;
  bool line_begins = true;
  const auto add = [&](Part part, std::size_t begin, std::size_t end) {
    if (code < begin) all.push_back({Part::kCode, code, begin});
    all.push_back({part, begin, end});
    code = end;
    return end;
  };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\n') {
      line_begins = true;
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
    } else if (c == '/' && next == '/') {
      i = add(Part::kLineComment, i, line_end(text, i, true));
    } else if (c == '/' && next == '*') {
      const std::size_t end = text.find("*/", i + 2);
      i = add(Part::kBlockComment, i, end == std::string_view::npos ? text.size() : end + 2);
    } else if (c == '#' && line_begins) {
      i = add(Part::kDirective, i, line_end(text, i, true));
    } else if (c == '"') {
      i = add(Part::kQuoted, i, is_raw(text, i) ? raw_end(text, i) : quoted_end(text, i));
      line_begins = false;
    } else if (c == '\'' && !separates_digits(text, i)) {
      i = add(Part::kQuoted, i, quoted_end(text, i));
      line_begins = false;
    } else {
      line_begins = false;
      ++i;
    }
  }
  if (code < text.size()) all.push_back({Part::kCode, code, text.size()});
  return all;
}

}  // namespace

std::vector<CppComment> find_comments(std::string_view source) {
  std::vector<CppComment> comments;
  int line = 1;
  std::size_t counted = 0;
  for (const Stretch& one : stretches(source)) {
    const bool is_block = one.part == Part::kBlockComment;
    if (!is_block && one.part != Part::kLineComment) continue;
    line +=
        static_cast<int>(std::count(source.begin() + static_cast<std::ptrdiff_t>(counted),
                                    source.begin() + static_cast<std::ptrdiff_t>(one.begin), '\n'));
    counted = one.begin;
    const std::size_t before = source.substr(0, one.begin).rfind('\n');
    const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view lead = source.substr(line_begin, one.begin - line_begin);
    CppComment comment;
    comment.text = source.substr(one.begin + 2, one.end - one.begin - 2);
    if (is_block && comment.text.ends_with("*/")) comment.text.remove_suffix(2);
    comment.line = line;
    comment.column = static_cast<int>(one.begin - line_begin) + 3;
    comment.is_block = is_block;
    comment.stands_alone = lead.find_first_not_of(" \t") == std::string_view::npos;
    comments.push_back(comment);
  }
  return comments;
}

std::string code_alone(std::string_view source) {
  std::string code(source);
  for (const Stretch& one : stretches(source)) {
    if (one.part == Part::kCode) continue;
    // Quotes stay, so that a quoted text is still something.
    const std::size_t inset = one.part == Part::kQuoted ? 1 : 0;
    for (std::size_t i = one.begin + inset; i + inset < one.end; ++i)
      if (code[i] != '\n') code[i] = ' ';
  }
  return code;
}

std::vector<std::string> find_directives(std::string_view source) {
  std::vector<std::string> directives;
  for (const Stretch& one : stretches(source)) {
    if (one.part != Part::kDirective) continue;
    std::string text(source.substr(one.begin, one.end - one.begin));
    for (std::size_t at = text.find("\\\n"); at != std::string::npos; at = text.find("\\\n", at))
      text.replace(at, 2, " ");
    directives.push_back(std::move(text));
  }
  return directives;
}

}  // namespace warpwright
