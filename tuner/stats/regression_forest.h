// A forest of regression trees over parameters with few values each, bagged, to learn how a
// response depends on them. A row holds the level (0, 1, ...) that each feature takes. Responses
// must be finite and rows complete; anything else is a broken invariant. Equal data and seed give
// equal forests on every machine.
// Source: L. Breiman, Random Forests, Machine Learning 45 (2001); splits of unordered features as
// in L. Breiman et al., Classification and Regression Trees (1984), section 9.4. Why not a library:
// tuner/decisions/0004.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpwright {

struct ForestFeature {
  std::size_t levels = 0;
  bool ordered = true;  // neighbouring levels are alike; false for names
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
using RegressionTree = std::vector<TreeNode>;  // the root is first

class RegressionForest {
 public:
  // At least one row and one feature. Trees grow until the rows of a leaf are alike.
  explicit RegressionForest(const ForestData& data, const ForestOptions& options = {});

  [[nodiscard]] double predict(const std::vector<std::uint32_t>& row) const;
  [[nodiscard]] const std::vector<RegressionTree>& trees() const { return trees_; }

  // 1 - squared error / variation, every row predicted by the trees that have not seen it. None
  // where the responses do not vary or no row was left out by any tree.
  [[nodiscard]] std::optional<double> out_of_bag_r2() const { return out_of_bag_r2_; }
  // By feature: how much lower out_of_bag_r2() is when the feature's values are shuffled among the
  // rows that a tree has not seen, anew for every tree. Near the share that the feature explains
  // alone and with others; 0 where there is no out_of_bag_r2().
  [[nodiscard]] const std::vector<double>& permutation_loss() const { return permutation_loss_; }

 private:
  std::vector<RegressionTree> trees_;
  std::optional<double> out_of_bag_r2_;
  std::vector<double> permutation_loss_;
};

}  // namespace warpwright
