#include "core/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpwright {
namespace {

// Locale-independent: identifiers are ASCII.
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

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

}  // namespace warpwright
