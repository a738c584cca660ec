// Mutations of texts that keep most of their structure, so that what comes out gets past the first
// checks: words, numbers and lines are dropped, doubled, exchanged and replaced by others of the
// same texts; now and then a byte is changed, the text is cut, or brackets are nested without end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.h"

namespace warpwright::fuzz {

class Mutator {
 public:
  // `texts` are what is mutated; `pieces` are further words that mean something to the reader, and
  // `brackets` the pairs that nest: "()[]{}".
  Mutator(std::vector<std::string> texts, std::vector<std::string> pieces, std::string brackets);

  // A text, after up to five mutations.
  [[nodiscard]] std::string make(Random& random) const;
  [[nodiscard]] std::string mutate(std::string text, Random& random) const;

 private:
  void edit(std::string& text, Random& random) const;

  std::vector<std::string> texts_;
  std::vector<std::string> pieces_;
  std::string brackets_;
  std::vector<std::string> words_;  // of all texts, each once
};

// Changes, cuts, drops and doubles bytes, for formats that are not text.
[[nodiscard]] std::string mutate_bytes(std::string bytes, Random& random);

}  // namespace warpwright::fuzz
