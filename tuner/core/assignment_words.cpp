#include "core/assignment_words.h"

#include <algorithm>
#include <cctype>

namespace warpwright {
namespace {

constexpr std::string_view kBlanks = " \t\n";

bool starts_assignment(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("=,"), text.size());
  if (end == text.size() || text[end] != '=' || end == 0) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
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

}  // namespace warpwright
