#include "core/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

namespace warpwright {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool all_hex_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string join_with_and(std::span<const std::string> items) {
  if (items.size() < 2) return items.empty() ? "" : items.front();
  return join(items.first(items.size() - 1)) + " and " + items.back();
}

namespace {

// A third of the longer word may differ, but at most three letters; beyond that a suggestion only
// confuses.
int tolerated(std::size_t longer) { return static_cast<int>(std::min<std::size_t>(3, longer / 3)); }

constexpr std::size_t kListed = 12;
// The cost of a comparison is the product of both lengths.
constexpr std::size_t kLongestGuessed = 200;

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the dynamic-programming table: a swap looks two rows back.
  std::vector<int> before(b.size() + 1);
  std::vector<int> previous(b.size() + 1);
  std::vector<int> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
  const std::string wanted = lower(word);
  const std::string* best = nullptr;
  int best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    const int limit = tolerated(longer);
    if (longer > kLongestGuessed) continue;
    if (longer - shorter > static_cast<std::size_t>(limit)) continue;
    const int distance = edit_distance(wanted, lower(candidate));
    if (distance <= limit && (best == nullptr || distance < best_distance)) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return "";
  if (const std::optional<std::string> near = nearest(word, known)) {
    return fmt::format("; did you mean '{}'?", *near);
  }
  std::string text = "; known: ";
  for (std::size_t i = 0; i < std::min(known.size(), kListed); ++i) {
    if (i > 0) text += ", ";
    text += known[i];
  }
  if (known.size() > kListed) text += ", ...";
  return text;
}

namespace {

constexpr std::string_view kBlanks = " \t\n";

bool starts_assignment(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("=,"), text.size());
  if (end == text.size() || text[end] != '=' || end == 0) return false;
  const std::string_view name = text.substr(0, end);
  return std::all_of(name.begin(), name.end(), is_word);
}

void split_at_commas(std::string_view word, std::vector<std::string>& out) {
  std::size_t begin = 0;
  for (std::size_t at = word.find(','); at != std::string_view::npos; at = word.find(',', at + 1)) {
    const std::string_view rest = word.substr(at + 1);
    if (!rest.empty() && rest.front() != ',' && !starts_assignment(rest)) continue;
    if (at > begin) out.emplace_back(word.substr(begin, at - begin));
    begin = at + 1;
  }
  if (begin < word.size()) out.emplace_back(word.substr(begin));
}

}  // namespace

std::vector<std::string> assignment_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = text.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    split_at_commas(text.substr(at, end - at), words);
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::vector<std::string> assignment_words(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    const std::vector<std::string> of_text = assignment_words(std::string_view(text));
    words.insert(words.end(), of_text.begin(), of_text.end());
    if (of_text.empty()) words.push_back(text);
  }
  return words;
}

std::optional<std::uint64_t> parse_byte_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.ends_with("iB")) {
    unit.remove_suffix(2);
  } else if (unit.ends_with("B")) {
    unit.remove_suffix(1);
  }
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (code != std::errc() || shift < 0 ||
      value > (std::numeric_limits<std::uint64_t>::max() >> std::max(shift, 0)))
    return std::nullopt;
  return value << shift;
}

namespace {

// The digits at the start, without leading zeros; `text` continues after them.
std::string_view take_number(std::string_view& text) {
  const auto end =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool natural_before(std::string_view a, std::string_view b) {
  std::string_view rest_a = a, rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    if (is_digit(rest_a.front()) && is_digit(rest_b.front())) {
      const std::string_view x = take_number(rest_a), y = take_number(rest_b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (rest_a.front() != rest_b.front()) {
      return static_cast<unsigned char>(rest_a.front()) <
             static_cast<unsigned char>(rest_b.front());
    }
    rest_a.remove_prefix(1);
    rest_b.remove_prefix(1);
  }
  if (rest_a.empty() != rest_b.empty()) return rest_a.empty();
  return a < b;  // they differ at most in leading zeros
}

}  // namespace warpwright
