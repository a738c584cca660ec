#include "vet/comments/comment_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/cpp_scan.h"
#include "core/expr/expr.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "spec/names.h"
#include "vet/comments/read_launch_comments.h"

namespace warpwright {
namespace {

constexpr std::string_view kMark = "vet:";
constexpr std::size_t kLongestStatement = 10000;

std::string_view without_lead(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// Splits a line at `;`, which separates statements, and starts new statements or continues the
// last.
void add_statements(std::string_view text, int line, int column, const std::string& file,
                    std::vector<CommentText>& all) {
  bool open = !all.empty() && all.back().is_open();
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(';', from), text.size());
    const std::string_view part = text.substr(from, end - from);
    const std::string_view words = without_lead(part);
    if (!words.empty()) {
      if (!open) all.emplace_back(file);
      all.back().add(words, line, column + static_cast<int>(from + part.size() - words.size()));
      open = all.back().is_open();
    }
    if (end < text.size()) open = false;
    from = end + 1;
  }
}

void add_block(const CppComment& comment, const std::string& file,
               std::vector<CommentText>& statements) {
  std::string_view rest = comment.text;
  int column = comment.column;
  for (int line = comment.line;; ++line) {
    const std::string_view whole = rest.substr(0, rest.find('\n'));
    std::string_view text = without_lead(whole);
    // Some block comments start every line with a `*`.
    if (line > comment.line && text.starts_with('*')) text = without_lead(text.substr(1));
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    add_statements(text, line, column + static_cast<int>(text.data() - whole.data()), file,
                   statements);
    if (whole.size() == rest.size()) return;
    rest.remove_prefix(whole.size() + 1);
    column = 1;
  }
}

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }
bool begins_name(char c) { return is_word(c) && !is_digit(c); }

// Returns the end of the number at `at`, following the syntax of expressions.
std::size_t number_end(std::string_view text, std::size_t at) {
  if (text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
    at += 2;
    while (at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    return at;
  }
  while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 + (text[at + 1] == '+' || text[at + 1] == '-' ? 1 : 0);
    if (sign < text.size() && is_digit(text[sign])) {
      at = sign;
      while (at < text.size() && is_digit(text[at])) ++at;
    }
  }
  return at;
}

}  // namespace

void CommentText::add(std::string_view text, int line, int column) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  if (!text_.empty()) text_ += ' ';
  pieces_.push_back({text_.size(), line, column});
  text_ += text;
}

SourceLocation CommentText::where(std::size_t offset) const {
  SourceLocation place{file_, 0, 0};
  for (const Piece& piece : pieces_) {
    if (piece.offset > offset && place.line != 0) break;
    place.line = piece.line;
    place.column = piece.column + static_cast<int>(offset - std::min(offset, piece.offset));
  }
  return place;
}

bool CommentText::is_open() const {
  // A statement whose brackets never close is ignored, however long the comment is.
  if (text_.size() > kLongestStatement) return false;
  int depth = 0;
  for (const char c : text_) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  const std::size_t configuration = text_.find("<<<");
  const bool in_configuration =
      configuration != std::string::npos && text_.find(">>>", configuration) == std::string::npos;
  return depth > 0 || in_configuration || (!text_.empty() && text_.back() == ',');
}

std::vector<std::vector<CommentText>> find_vet_comments(std::string_view source,
                                                        const std::string& file) {
  std::vector<std::vector<CommentText>> all;
  int last_line = -1;  // last line of the comment that is being extended
  for (const CppComment& comment : find_comments(source)) {
    const std::string_view text = without_lead(comment.text);
    const bool marked = text.starts_with(kMark);
    if (comment.is_block) {
      last_line = -1;
      if (marked) add_block(comment, file, all.emplace_back());
      continue;
    }
    const bool goes_on = comment.stands_alone && comment.line == last_line + 1;
    last_line = comment.stands_alone ? comment.line : -1;
    if (!goes_on) all.emplace_back();
    std::vector<CommentText>& statements = all.back();
    const bool open = !statements.empty() && statements.back().is_open();
    if (!marked && !open) continue;
    const std::string_view words = marked ? text.substr(kMark.size()) : text;
    add_statements(words, comment.line,
                   comment.column + static_cast<int>(words.data() - comment.text.data()), file,
                   statements);
  }
  std::erase_if(all, [](const std::vector<CommentText>& one) { return one.empty(); });
  return all;
}

std::string without_suffixes(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size();) {
    if (begins_name(result[i])) {
      while (i < result.size() && is_word(result[i])) ++i;
    } else if (is_digit(result[i]) ||
               (result[i] == '.' && i + 1 < result.size() && is_digit(result[i + 1]))) {
      i = number_end(result, i);
      for (; i < result.size() && std::string_view("fFuUlL").find(result[i]) != std::string::npos;
           ++i)
        result[i] = ' ';
    } else {
      ++i;
    }
  }
  return result;
}

Phrase::Phrase(const CommentText& whole, std::size_t begin, std::size_t end)
    : whole_(&whole), begin_(begin), end_(end) {
  const std::string& text = whole.text();
  while (begin_ < end_ && is_blank(text[begin_])) ++begin_;
  while (end_ > begin_ && is_blank(text[end_ - 1])) --end_;
}

Phrase Phrase::part(std::size_t first, std::size_t count) const {
  const std::size_t begin = std::min(begin_ + first, end_);
  return {*whole_, begin, count > end_ - begin ? end_ : begin + count};
}

std::size_t Phrase::find(char wanted) const {
  int depth = 0;
  const std::string_view all = text();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (depth == 0 && all[i] == wanted) return i;
    if (opens(all[i])) ++depth;
    if (closes(all[i])) --depth;
  }
  return std::string_view::npos;
}

std::size_t Phrase::closing(std::size_t open) const {
  int depth = 0;
  const std::string_view all = text();
  for (std::size_t i = open; i < all.size(); ++i) {
    if (opens(all[i])) ++depth;
    if (closes(all[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::vector<Phrase> Phrase::list() const {
  std::vector<Phrase> all;
  Phrase rest = *this;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    all.push_back(rest.part(0, comma));
    if (comma == std::string_view::npos) return all;
    const Phrase next = rest.part(comma + 1);
    if (next.empty()) all.push_back(next);
    rest = next;
  }
  return all;
}

bool Phrase::is_name() const { return is_identifier(text()); }

Value Phrase::value(const std::map<std::string, Value>& names) const {
  Environment environment;
  for (const auto& [name, value] : names) environment.set(name, value);
  const Value got = Expr::parse(without_suffixes(text()), where()).evaluate(environment);
  if (!got.is_string()) return got;
  throw error(fmt::format("expected a number, got the text '{}'", shown_name(got.as_string())));
}

std::int64_t Phrase::count(const std::map<std::string, Value>& names, std::int64_t least,
                           const std::string& what) const {
  if (empty()) throw error(fmt::format("{} is missing; write a whole number", what));
  const Value got = value(names);
  if (got.is_integer() && got.as_integer() >= least) return got.as_integer();
  const std::string shown = got.to_string() == text()
                                ? got.to_string()
                                : fmt::format("{} ({})", got.to_string(), shown_name(text()));
  throw error(fmt::format("{} is {}, expected a whole number of at least {}", what, shown, least));
}

}  // namespace warpwright
