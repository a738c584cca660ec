// What configurations that nobody asked about are likely to cost: a forest learns it from every
// answer. What sources believe are features like any other; besides, a line along them is taken off
// the responses before the forest learns what is left, as far as answers bear it out, since a
// forest alone cannot say that what is believed better still is likely to be. Internal to search.
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

  // Something must have been seen.
  void learn(SplitMix64& random);

  struct Guess {
    double mean = 0;    // of the response
    double spread = 0;  // its standard deviation
    double failing = 0;
  };
  // After learn().
  [[nodiscard]] Guess guess(std::uint64_t index);

  // Factors count alike among costs above 0; others, differences do, in units of how far half of
  // them lie apart.
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
