// The models of a learning strategy: the estimates of other sources, the costs of this board, and
// the costs of all boards of a kernel together. Internal to search.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/encoding.h"
#include "search/strategy.h"
#include "stats/extra_trees.h"
#include "stats/split_mix.h"

namespace warpwright {

// Cost estimates that other sources give for a space, and a forest that extrapolates each source to
// configurations for which it gives none. Estimates are not trusted: a few of the configurations
// that a source ranks best are tried, and the estimates are features from which a model of the
// costs learns as from any other.
class Beliefs {
 public:
  Beliefs(const SearchSpace& space, const Encoding& encoding)
      : space_(space), encoding_(encoding) {}

  // Costs must be above 0; others are ignored. The latest estimate of a source for a configuration
  // counts. If a source gives very many estimates, the best ones and a sample of the others are
  // kept.
  void hear(std::size_t source, std::uint64_t index, double cost);
  // Retrains the forests of sources that have added many estimates since the last training.
  void learn();

  [[nodiscard]] std::size_t sources() const { return sources_.size(); }
  // Appends to `row` the given or extrapolated estimate of each source: its logarithm of the cost,
  // scaled so that the least is 0 and the greatest 1.
  void append(std::uint64_t index, std::vector<float>& row) const;
  // The configurations that a source ranks best, best first.
  [[nodiscard]] const std::vector<std::uint64_t>& best(std::size_t source) const {
    return sources_[source].best;
  }

 private:
  struct Source {
    std::unordered_map<std::uint64_t, double> costs = {};  // in logarithms
    std::vector<std::uint64_t> best = {};
    std::size_t heard = 0, learnt = 0;  // estimates received, and those used in training
    double least = 0, greatest = 0;
    std::optional<ExtraTrees> forest = std::nullopt;
  };
  static void thin(Source& source);
  void grow(Source& source) const;

  const SearchSpace& space_;
  const Encoding& encoding_;
  std::vector<Source> sources_;
};

// Predicts the costs of configurations that have not been tried: a forest learns from every answer.
// The estimates of other sources are features like any other. In addition, a linear fit along them
// is subtracted from the responses, as far as the answers support it, before the forest learns the
// residuals: a forest alone cannot extrapolate beyond the best estimate seen.
class CostModel {
 public:
  CostModel(const SearchSpace& space, const Encoding& encoding, const Knowledge& knowledge,
            const Beliefs& beliefs, std::size_t trees);

  // At least one configuration must have been answered.
  void learn(SplitMix64& random);

  struct Guess {
    double mean = 0;    // of the response
    double spread = 0;  // its standard deviation
    double failing = 0;
  };
  // Call learn() first.
  [[nodiscard]] Guess guess(std::uint64_t index);

  // Costs above 0 are compared by ratios; others are compared by differences, in units of the
  // distance between the best and the median.
  [[nodiscard]] double response(double cost) const;
  [[nodiscard]] double cost(double response) const;

 private:
  struct Rows;
  void fit_line(const Rows& rows);
  [[nodiscard]] double line_at(const std::vector<float>& said) const;

  const SearchSpace& space_;
  const Encoding& encoding_;
  const Knowledge& knowledge_;
  const Beliefs& beliefs_;
  const std::size_t trees_;
  std::vector<double> line_;  // by source
  std::optional<ExtraTrees> forest_;
  std::vector<float> features_, said_;  // of one configuration
};

// A model shared by all boards of one kernel: one forest is trained on the answers of every board,
// including the board being searched, with the problem sizes as additional features. Costs are
// expressed as ratios to the best cost of their board. A configuration that is good on similar
// problems is thus found with only a few answers from each board.
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
