// A bagged forest of regression trees over parameters with few values each, which learns how a
// response depends on them. A row holds the level (0, 1, ...) of each feature. Responses must be
// finite and rows complete; anything else is a broken invariant. Equal data and seed give equal
// forests on every machine.
// Source: L. Breiman, Random Forests, Machine Learning 45 (2001); splits of unordered features as
// in L. Breiman et al., Classification and Regression Trees (1984), section 9.4. For why no library
// is used, see tuner/decisions/0004. Functional ANOVA explains a forest by its features.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpwright {

struct ForestFeature {
  std::size_t levels = 0;
  bool ordered = true;  // whether neighbouring levels are similar; false for names
};

struct ForestData {
  std::vector<ForestFeature> features;
  std::vector<std::vector<std::uint32_t>> rows;  // one level per feature
  std::vector<double> responses;                 // one per row
};

struct ForestOptions {
  std::size_t trees = 64;
  double feature_share = 5.0 / 6;  // the share of features tried at each split, rounded up
  std::uint64_t seed = 1;
};

struct TreeNode {
  int feature = -1;             // -1 is a leaf
  double mean = 0;              // of the responses that reach it
  std::vector<bool> goes_left;  // by level of the feature
  std::size_t left = 0, right = 0;
};
using RegressionTree = std::vector<TreeNode>;  // the root comes first

class RegressionForest {
 public:
  // Needs at least one row and one feature. Trees grow until the rows of each leaf are equal.
  explicit RegressionForest(const ForestData& data, const ForestOptions& options = {});

  [[nodiscard]] double predict(const std::vector<std::uint32_t>& row) const;
  [[nodiscard]] const std::vector<RegressionTree>& trees() const { return trees_; }

  // 1 - squared error / variation, with every row predicted by the trees that were not trained on
  // it. nullopt if the responses do not vary or no tree left out any row.
  [[nodiscard]] std::optional<double> out_of_bag_r2() const { return out_of_bag_r2_; }
  // By feature: the loss of out_of_bag_r2() when the feature's values are shuffled among the rows
  // that a tree was not trained on, anew for every tree. Close to the share that the feature
  // explains alone and together with others; 0 if there is no out_of_bag_r2().
  [[nodiscard]] const std::vector<double>& permutation_loss() const { return permutation_loss_; }

 private:
  std::vector<RegressionTree> trees_;
  std::optional<double> out_of_bag_r2_;
  std::vector<double> permutation_loss_;
};

// Functional ANOVA of a forest: divides the variance of its predictions into parts that are
// explained by one feature, by two, or by more. Features are drawn independently, each level as
// often as it occurs in the data. Shares are fractions of that variance. Source: F. Hutter, H.
// Hoos, K. Leyton-Brown, An Efficient Approach for Assessing Hyperparameter Importance, ICML 2014:
// a tree divides the space into boxes, over which marginals are sums. The paper averages the shares
// of single trees; here the mean of the trees is decomposed, since artefacts of one tree in a gap
// of its bag would count as interaction. The variance is exact for up to 65,536 combinations of
// levels, and estimated from 65,536 random ones beyond that.

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
