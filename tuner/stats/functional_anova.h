// Functional ANOVA of a forest: divides the variance of its predictions into parts that are
// explained by one feature, by two, or by more. Features are drawn independently, each level as
// often as it occurs in the data. Shares are fractions of that variance.
// Source: F. Hutter, H. Hoos, K. Leyton-Brown, An Efficient Approach for Assessing Hyperparameter
// Importance, ICML 2014: a tree divides the space into boxes, over which marginals are sums. The
// paper averages the shares of single trees; here the mean of the trees is decomposed, since
// artefacts of one tree in a gap of its bag would count as interaction. The variance is exact for
// up to 65,536 combinations of levels, and estimated from 65,536 random ones beyond that.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/regression_forest.h"

namespace warpwright {

struct AnovaPair {
  std::size_t first = 0, second = 0;  // features, first < second
  double share = 0;                   // in addition to what each explains alone
};

struct FunctionalAnova {
  double variance = 0;           // of the forest's prediction; if it is 0, all shares are 0
  std::vector<double> main;      // by feature
  std::vector<AnovaPair> pairs;  // every pair, in order of the features
  double higher = 0;             // remaining share: three and more features together
};

// `data` must be the data that the forest was grown from.
[[nodiscard]] FunctionalAnova functional_anova(const RegressionForest& forest,
                                               const ForestData& data, std::uint64_t seed = 1);

}  // namespace warpwright
