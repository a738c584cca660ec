// Predicts the costs of configurations that have not been tried: a forest learns from every answer.
// The estimates of other sources are features like any other. In addition, a linear fit along them
// is subtracted from the responses, as far as the answers support it, before the forest learns the
// residuals: a forest alone cannot extrapolate beyond the best estimate seen. Internal to search.
#pragma once

#include <optional>
#include <vector>

#include "search/beliefs.h"
#include "search/encoding.h"
#include "search/knowledge.h"
#include "stats/extra_trees.h"
#include "stats/split_mix.h"

namespace warpwright {

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

}  // namespace warpwright
