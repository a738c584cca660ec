// What boards of one kernel have in common: one forest over the answers of all of them, the own
// among them, with the sizes of their problems as features beside the parameters. Costs count by
// their ratio to the best of their board. A configuration that is good wherever problems are alike
// is found with few answers of each. Internal to search.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/encoding.h"
#include "search/knowledge.h"
#include "search/strategy.h"
#include "stats/extra_trees.h"
#include "stats/split_mix.h"

namespace warpwright {

class AcrossBoards {
 public:
  AcrossBoards(const SearchSpace& space, const Encoding& encoding)
      : space_(space), encoding_(encoding) {}

  // Replaces what was heard before. Costs above 0; others are not listened to.
  void hear(const Problem& own, const std::vector<BoardAnswers>& others);
  // Some other board says something.
  [[nodiscard]] bool knows() const { return !boards_.empty(); }
  // What other boards have asked about.
  [[nodiscard]] const std::vector<std::uint64_t>& asked_there() const { return asked_there_; }

  // Of configurations.
  using Promise = std::function<double(std::uint64_t index)>;
  // Of `candidates` the one that promises most, by what boards have in common and, where there is
  // one, by `other`, which counts as much: a logarithm over the best's, low is good. nullopt
  // without any, or where nothing is known. Counts as asked: until it is answered, with what is
  // expected of it.
  [[nodiscard]] std::optional<std::uint64_t> best(const Knowledge& own,
                                                  const std::vector<std::uint64_t>& candidates,
                                                  const Promise& other, SplitMix64& random);

 private:
  struct Board {
    std::vector<float> problem;
    std::vector<std::pair<std::uint64_t, double>> responses;  // logarithms over the best's
  };
  void name_sizes(const Problem& own, const std::vector<BoardAnswers>& others);
  [[nodiscard]] std::vector<float> features_of(const Problem& problem) const;
  void append(std::uint64_t index, const std::vector<float>& problem);

  const SearchSpace& space_;
  const Encoding& encoding_;
  // Of problems: what each of their values is called, and, where it is no number, its words.
  struct Size {
    std::string name;
    std::vector<std::string> words;
  };
  std::vector<Size> sizes_;
  std::vector<float> own_;
  std::vector<Board> boards_;
  std::vector<std::uint64_t> asked_there_;
  // Was proposed and has no answer, with what was expected.
  std::map<std::uint64_t, double> open_;
  std::vector<float> row_;
};

}  // namespace warpwright
