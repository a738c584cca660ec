#include "stats/regression_forest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

// The number of shuffles per tree and feature, to smooth out an unlucky one.
constexpr int kShuffles = 4;

using Rows = std::vector<std::size_t>;

template <class T>
void shuffle(std::vector<T>& values, SplitMix64& random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

double leaf_mean(const RegressionTree& tree, const std::vector<std::uint32_t>& row) {
  std::size_t at = 0;
  while (tree[at].feature >= 0) {
    const std::uint32_t level = row[static_cast<std::size_t>(tree[at].feature)];
    at = tree[at].goes_left[level] ? tree[at].left : tree[at].right;
  }
  return tree[at].mean;
}

struct LevelSum {
  std::uint32_t level = 0;
  double sum = 0;
  double count = 0;
  [[nodiscard]] double mean() const { return sum / count; }
};

struct Split {
  int feature = -1;
  double gain = -1;
  std::vector<bool> goes_left;
};

class TreeGrower {
 public:
  TreeGrower(const ForestData& data, const ForestOptions& options, SplitMix64& random)
      : data_(data), random_(random), order_(data.features.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const double share = options.feature_share * static_cast<double>(order_.size());
    tried_ = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(share)), 1, order_.size());
  }

  // Uses an explicit stack, since trees may be as deep as there are rows.
  RegressionTree grow(Rows rows) {
    RegressionTree tree(1);
    std::vector<std::pair<std::size_t, Rows>> open;
    open.emplace_back(0, std::move(rows));
    while (!open.empty()) {
      const auto [at, here] = std::move(open.back());
      open.pop_back();
      Split split = best_split(tree[at], here);
      if (split.feature < 0) continue;
      Rows left, right;
      for (const std::size_t row : here) {
        const std::uint32_t level = data_.rows[row][static_cast<std::size_t>(split.feature)];
        (split.goes_left[level] ? left : right).push_back(row);
      }
      tree[at].feature = split.feature;
      tree[at].goes_left = std::move(split.goes_left);
      tree[at].left = tree.size();
      tree[at].right = tree.size() + 1;
      open.emplace_back(tree.size(), std::move(left));
      open.emplace_back(tree.size() + 1, std::move(right));
      tree.resize(tree.size() + 2);
    }
    return tree;
  }

 private:
  // Sets the node's mean. There is no split if all responses or all rows are equal. A split that
  // gains nothing by itself is still made, because a split below it may gain (an exclusive or).
  Split best_split(TreeNode& node, const Rows& rows) {
    double sum = 0;
    bool alike = true;
    for (const std::size_t row : rows) {
      sum += data_.responses[row];
      alike = alike && data_.responses[row] == data_.responses[rows.front()];
    }
    node.mean = sum / static_cast<double>(rows.size());
    Split best;
    if (alike) return best;
    shuffle(order_, random_);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i >= tried_ && best.feature >= 0) break;
      Split split = split_on(order_[i], rows, node.mean);
      if (split.gain > best.gain) best = std::move(split);
    }
    return best;
  }

  Split split_on(std::size_t feature, const Rows& rows, double mean) const {
    const std::size_t level_count = data_.features[feature].levels;
    std::vector<LevelSum> all(level_count);
    for (const std::size_t row : rows) {
      LevelSum& level = all[data_.rows[row][feature]];
      level.sum += data_.responses[row] - mean;
      ++level.count;
    }
    std::vector<LevelSum> seen;
    for (std::uint32_t level = 0; level < level_count; ++level) {
      all[level].level = level;
      if (all[level].count > 0) seen.push_back(all[level]);
    }
    Split split;
    if (seen.size() < 2) return split;
    const bool ordered = data_.features[feature].ordered;
    // Among the 2^n ways to divide names in two, the best one cuts them in the order of their
    // means.
    if (!ordered) {
      std::stable_sort(seen.begin(), seen.end(),
                       [](const auto& a, const auto& b) { return a.mean() < b.mean(); });
    }
    const std::size_t cut = best_cut(seen, static_cast<double>(rows.size()), split.gain);
    split.feature = static_cast<int>(feature);
    split.goes_left.assign(level_count, false);
    for (std::size_t i = 0; i < cut; ++i) split.goes_left[seen[i].level] = true;
    // Levels that occur in no row here go to the side of the nearest level that does.
    const std::uint32_t middle = (seen[cut - 1].level + seen[cut].level + 1) / 2;
    for (std::uint32_t level = 0; level < level_count; ++level) {
      if (all[level].count == 0)
        split.goes_left[level] = ordered ? level < middle : 2 * cut > seen.size();
    }
    return split;
  }

  // The number of levels that go left. Sums are of deviations from the node's mean; `gain` is the
  // reduction of the squared error by the cut.
  static std::size_t best_cut(const std::vector<LevelSum>& levels, double rows, double& gain) {
    std::size_t best = 1;
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      sum += levels[i].sum;
      count += levels[i].count;
      const double here = sum * sum / count + sum * sum / (rows - count);
      if (here > gain) {
        gain = here;
        best = i + 1;
      }
    }
    return best;
  }

  const ForestData& data_;
  SplitMix64& random_;
  std::vector<std::size_t> order_;
  std::size_t tried_ = 0;
};

// Sums the predictions of the trees that were not trained on a row.
struct OutOfBag {
  explicit OutOfBag(std::size_t rows) : sum(rows), count(rows) {}
  void add(std::size_t row, double prediction) {
    sum[row] += prediction;
    ++count[row];
  }
  [[nodiscard]] std::optional<double> r2(const std::vector<double>& responses) const {
    // The mean of equal numbers may differ from them by rounding, which would look like variation.
    const auto [least, most] = std::minmax_element(responses.begin(), responses.end());
    if (*least == *most) return std::nullopt;
    double mean = 0;
    for (const double response : responses)
      mean += response / static_cast<double>(responses.size());
    double error = 0;
    double variation = 0;
    for (std::size_t row = 0; row < responses.size(); ++row) {
      if (count[row] == 0) continue;
      error += std::pow(responses[row] - sum[row] / count[row], 2);
      variation += std::pow(responses[row] - mean, 2);
    }
    return variation > 0 ? std::optional(1 - error / variation) : std::nullopt;
  }

  std::vector<double> sum, count;
};

// The rows of one tree drawn with replacement, and those that were not drawn.
std::pair<Rows, Rows> draw_bag(std::size_t count, SplitMix64& random) {
  Rows bag(count);
  std::vector<bool> drawn(count, false);
  for (std::size_t& row : bag) {
    row = random.below(static_cast<std::uint32_t>(count));
    drawn[row] = true;
  }
  Rows left_out;
  for (std::size_t row = 0; row < count; ++row)
    if (!drawn[row]) left_out.push_back(row);
  return {std::move(bag), std::move(left_out)};
}

void add_shuffled(const ForestData& data, const RegressionTree& tree, std::size_t feature,
                  const Rows& left_out, SplitMix64& random, OutOfBag& out) {
  Rows donors = left_out;
  for (int i = 0; i < kShuffles; ++i) {
    shuffle(donors, random);
    for (std::size_t k = 0; k < left_out.size(); ++k) {
      std::vector<std::uint32_t> row = data.rows[left_out[k]];
      row[feature] = data.rows[donors[k]][feature];
      out.add(left_out[k], leaf_mean(tree, row));
    }
  }
}

}  // namespace

RegressionForest::RegressionForest(const ForestData& data, const ForestOptions& options) {
  WARPWRIGHT_CHECK(!data.rows.empty() && !data.features.empty() && options.trees > 0 &&
                       data.rows.size() == data.responses.size(),
                   "a forest needs rows, features and a response for each row");
  for (const double response : data.responses)
    WARPWRIGHT_CHECK(std::isfinite(response), "responses are finite");
  const std::size_t features = data.features.size();
  for (const auto& row : data.rows) {
    WARPWRIGHT_CHECK(row.size() == features, "every row is complete");
    for (std::size_t i = 0; i < features; ++i)
      WARPWRIGHT_CHECK(row[i] < data.features[i].levels, "a level is one of its feature's");
  }
  SplitMix64 random(options.seed);
  OutOfBag plain(data.rows.size());
  std::vector<OutOfBag> shuffled(features, OutOfBag(data.rows.size()));
  for (std::size_t i = 0; i < options.trees; ++i) {
    auto [bag, left_out] = draw_bag(data.rows.size(), random);
    trees_.push_back(TreeGrower(data, options, random).grow(std::move(bag)));
    for (const std::size_t row : left_out) plain.add(row, leaf_mean(trees_.back(), data.rows[row]));
    for (std::size_t feature = 0; feature < features; ++feature)
      add_shuffled(data, trees_.back(), feature, left_out, random, shuffled[feature]);
  }
  out_of_bag_r2_ = plain.r2(data.responses);
  for (const OutOfBag& feature : shuffled) {
    const std::optional<double> without = feature.r2(data.responses);
    permutation_loss_.push_back(out_of_bag_r2_ && without ? *out_of_bag_r2_ - *without : 0);
  }
}

double RegressionForest::predict(const std::vector<std::uint32_t>& row) const {
  double sum = 0;
  for (const RegressionTree& tree : trees_) sum += leaf_mean(tree, row);
  return sum / static_cast<double>(trees_.size());
}

}  // namespace warpwright
