#include "analysis/failures/failure_cause.h"

#include "core/utf8.h"
#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::string_view kBlank = "…";
constexpr std::size_t kMaxBytes = 160;

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

std::string_view telling_line(std::string_view reason) {
  std::string_view first;
  while (!reason.empty()) {
    const std::size_t end = reason.find('\n');
    const std::string_view line = trim(reason.substr(0, end));
    if (line.find("error") != std::string_view::npos) return line;
    if (first.empty()) first = line;
    reason.remove_prefix(end == std::string_view::npos ? reason.size() : end + 1);
  }
  return first;
}

// Length of the number at the start of `text`, 0 if there is none: 12, -0.5, 1e-7, 0x1f, nan, inf.
std::size_t number_length(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  for (const std::string_view word : {"nan", "inf", "NaN", "Inf"}) {
    const std::size_t end = at + word.size();
    if (text.substr(at).starts_with(word) && (end == text.size() || !is_word(text[end])))
      return end;
  }
  if (at == text.size() || !is_digit(text[at])) return 0;
  while (at < text.size()) {
    const char c = text[at];
    const bool exponent_sign = (c == '-' || c == '+') &&
                               (text[at - 1] == 'e' || text[at - 1] == 'E') &&
                               at + 1 < text.size() && is_digit(text[at + 1]);
    const bool point = c == '.' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_word(c) && !exponent_sign && !point) break;
    ++at;
  }
  return at;
}

// Length of the quoted text at the start, 0 when there is none. An apostrophe inside a word does
// not open a quotation.
std::size_t quoted_length(std::string_view text, char before) {
  if (text.empty() || !is_quote(text.front()) || is_word(before)) return 0;
  const std::size_t end = text.find(text.front(), 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

// Lists of numbers differ in length between problems: [1, 2] and [7] are the same cause.
void append_blank(std::string& cause) {
  static constexpr std::string_view kSeparators[] = {", ", ",", "x", " x "};
  for (const std::string_view separator : kSeparators) {
    const std::string list = std::string(kBlank) + std::string(separator);
    if (cause.ends_with(list)) {
      cause.resize(cause.size() - separator.size());
      return;
    }
  }
  cause += kBlank;
}

void shorten(std::string& text) {
  if (text.size() <= kMaxBytes) return;
  text.resize(whole_characters(text, kMaxBytes - kBlank.size()).size());
  if (!text.ends_with(kBlank)) text += kBlank;
}

}  // namespace

std::string failure_cause(std::string_view reason) {
  std::string_view rest = telling_line(reason);
  std::string cause;
  char before = ' ';
  while (!rest.empty()) {
    if (const std::size_t quoted = quoted_length(rest, before); quoted > 0) {
      cause += rest.front();
      cause += kBlank;
      cause += rest.front();
      before = rest.front();
      rest.remove_prefix(quoted);
      continue;
    }
    // "2-3" is a range and "x-1" a difference: there the sign is not part of the number.
    const bool sign = rest.front() == '-' || rest.front() == '+';
    const bool may_start = !is_word(before) && !(sign && (before == ')' || before == ']'));
    if (const std::size_t number = may_start ? number_length(rest) : 0; number > 0) {
      append_blank(cause);
      before = '0';
      rest.remove_prefix(number);
      continue;
    }
    before = rest.front();
    cause += before;
    rest.remove_prefix(1);
  }
  shorten(cause);
  return cause;
}

}  // namespace warpwright
