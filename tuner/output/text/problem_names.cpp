#include "output/text/problem_names.h"

#include <algorithm>
#include <sstream>

namespace warpwright {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

ProblemNames problem_names(const std::vector<std::string>& problem_texts) {
  std::vector<Words> problems;
  for (const std::string& text : problem_texts) problems.push_back(words_of(text));
  const auto everywhere = [&](const std::string& word) {
    return std::all_of(problems.begin(), problems.end(), [&](const Words& words) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
  };
  ProblemNames out;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::string name, shared;
    for (const std::string& word : problems[i]) {
      std::string& to = everywhere(word) ? shared : name;
      to += (to.empty() ? "" : " ") + word;
    }
    out.shared = problems.size() > 1 ? shared : "";
    out.names.push_back(name.empty() || problems.size() == 1 ? problem_texts[i] : name);
  }
  return out;
}

}  // namespace warpwright
