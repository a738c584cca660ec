// Cost estimates that other sources give for a space, and a forest that extrapolates each source to
// configurations for which it gives none. Estimates are not trusted: a few of the configurations
// that a source ranks best are tried, and the estimates are features from which a model of the
// costs learns as from any other. Internal to search.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "search/encoding.h"
#include "stats/extra_trees.h"

namespace warpwright {

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

}  // namespace warpwright
