#include "vet/comments/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/expr/expr.h"
#include "core/terminal_text.h"
#include "spec/names.h"
#include "vet/comments/letters.h"
#include "vet/comments/read_launch_comments.h"

namespace warpwright {
namespace {

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }
bool is_letter(char c) { return is_word(c) && !is_digit(c); }

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

std::string without_suffixes(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size();) {
    if (is_letter(result[i])) {
      while (i < result.size() && (is_letter(result[i]) || is_digit(result[i]))) ++i;
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
