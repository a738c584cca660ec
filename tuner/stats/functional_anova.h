// Functional ANOVA of a forest: how the variance of what it predicts divides into parts that one
// feature, two features, or more of them explain, when the features are drawn independently, each
// level as often as the data have it. Shares are fractions of that variance.
// Source: F. Hutter, H. Hoos, K. Leyton-Brown, An Efficient Approach for Assessing Hyperparameter
// Importance, ICML 2014: a tree divides the space into boxes, over which marginals are sums. The
// paper averages the shares of single trees; here the mean of the trees is decomposed, since what
// one tree invents where its bag has a gap would count as interaction. Its variance is exact on up
// to 65,536 combinations of levels, and estimated from as many random ones beyond that.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/regression_forest.h"

namespace warpwright {

struct AnovaPair {
  std::size_t first = 0, second = 0;  // features, first < second
  double share = 0;                   // beyond what each explains alone
};

struct FunctionalAnova {
  double variance = 0;           // of the forest's prediction; with 0, all shares are 0
  std::vector<double> main;      // by feature
  std::vector<AnovaPair> pairs;  // every pair, in order of the features
  double higher = 0;             // what neither explains: three and more features together
};

// `data` is what the forest was grown from.
[[nodiscard]] FunctionalAnova functional_anova(const RegressionForest& forest,
                                               const ForestData& data, std::uint64_t seed = 1);

}  // namespace warpwright
