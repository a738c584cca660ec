// A model shared by all boards of one kernel: one forest is trained on the answers of every board,
// including the board being searched, with the problem sizes as additional features. Costs are
// expressed as ratios to the best cost of their board. A configuration that is good on similar
// problems is thus found with only a few answers from each board. Internal to search.
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

  // Replaces everything received earlier. Costs must be above 0; other costs are ignored.
  void hear(const Problem& own, const std::vector<BoardAnswers>& others);
  // Returns true if at least one other board has usable answers.
  [[nodiscard]] bool knows() const { return !boards_.empty(); }
  // The configurations that other boards have measured.
  [[nodiscard]] const std::vector<std::uint64_t>& asked_there() const { return asked_there_; }

  // Estimates how promising a configuration is; see `other` below.
  using Promise = std::function<double(std::uint64_t index)>;
  // Returns the most promising of `candidates`, judged by the model shared by all boards and, if it
  // is set, with equal weight by `other`, which returns the logarithm of the ratio to the best cost
  // (lower is better). Returns nullopt if there are no candidates or no other board has answers.
  // The returned candidate counts as pending: until its answer arrives, the model assumes the
  // predicted cost.
  [[nodiscard]] std::optional<std::uint64_t> best(const Knowledge& own,
                                                  const std::vector<std::uint64_t>& candidates,
                                                  const Promise& other, SplitMix64& random);

 private:
  struct Board {
    std::vector<float> problem;
    std::vector<std::pair<std::uint64_t, double>> responses;  // log ratios to the best cost
  };
  void name_sizes(const Problem& own, const std::vector<BoardAnswers>& others);
  [[nodiscard]] std::vector<float> features_of(const Problem& problem) const;
  void append(std::uint64_t index, const std::vector<float>& problem);

  const SearchSpace& space_;
  const Encoding& encoding_;
  // The name of each value of a problem and, if the value is not a number, the words it may take.
  struct Size {
    std::string name;
    std::vector<std::string> words;
  };
  std::vector<Size> sizes_;
  std::vector<float> own_;
  std::vector<Board> boards_;
  std::vector<std::uint64_t> asked_there_;
  // Proposed configurations that have no answer yet, with their predicted responses.
  std::map<std::uint64_t, double> open_;
  std::vector<float> row_;
};

}  // namespace warpwright
