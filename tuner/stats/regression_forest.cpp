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

namespace {

constexpr std::size_t kMaxCombinations = 65536;
// A variance below this is the rounding error of sums of numbers as large as the mean.
constexpr double kRoundingVariance = 1e-24;

// weight[feature][level] sums to 1 over the levels.
using Weights = std::vector<std::vector<double>>;

Weights level_weights(const ForestData& data) {
  Weights weights;
  for (const ForestFeature& feature : data.features) weights.emplace_back(feature.levels, 0.0);
  const double one = 1 / static_cast<double>(data.rows.size());
  for (const auto& row : data.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) weights[i][row[i]] += one;
  }
  return weights;
}

// The levels of each feature that reach a node, and the sums of their weights.
struct Box {
  std::vector<std::vector<std::uint32_t>> levels;
  std::vector<double> weight;
};

// Mean predictions given the level of one feature, or of two.
struct Marginals {
  explicit Marginals(const Weights& weights) : count(weights.size()) {
    for (const auto& feature : weights) one.emplace_back(feature.size(), 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j)
        two.emplace_back(weights[i].size() * weights[j].size(), 0.0);
    }
  }

  void add(const Box& box, double value) {
    double all = 1;
    for (const double weight : box.weight) all *= weight;
    mean += value * all;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::uint32_t level : box.levels[i]) one[i][level] += value * all / box.weight[i];
      for (std::size_t j = i + 1; j < count; ++j) {
        std::vector<double>& sums = two[pair++];
        const std::size_t width = one[j].size();
        const double share = value * all / (box.weight[i] * box.weight[j]);
        for (const std::uint32_t a : box.levels[i])
          for (const std::uint32_t b : box.levels[j]) sums[a * width + b] += share;
      }
    }
  }

  std::size_t count;
  double mean = 0;
  std::vector<std::vector<double>> one;
  std::vector<std::vector<double>> two;  // pairs in order of the features, row-major
};

double weight_of(const std::vector<double>& weights, const std::vector<std::uint32_t>& levels) {
  double sum = 0;
  for (const std::uint32_t level : levels) sum += weights[level];
  return sum;
}

// Adds the leaves below `root`; every box on the path has some weight, since rows went both ways.
void add_leaves(const RegressionTree& tree, std::size_t root, const Box& whole,
                const Weights& weights, double shift, Marginals& marginals) {
  std::vector<std::pair<std::size_t, Box>> open;
  open.emplace_back(root, whole);
  while (!open.empty()) {
    const auto [at, box] = std::move(open.back());
    open.pop_back();
    const TreeNode& node = tree[at];
    if (node.feature < 0) {
      marginals.add(box, node.mean - shift);
      continue;
    }
    const auto feature = static_cast<std::size_t>(node.feature);
    for (const bool left : {true, false}) {
      Box part = box;
      std::erase_if(part.levels[feature],
                    [&](std::uint32_t level) { return node.goes_left[level] != left; });
      part.weight[feature] = weight_of(weights[feature], part.levels[feature]);
      open.emplace_back(left ? node.left : node.right, std::move(part));
    }
  }
}

double variance_one(const std::vector<double>& means, const std::vector<double>& weights,
                    double mean) {
  double variance = 0;
  for (std::size_t i = 0; i < means.size(); ++i)
    variance += weights[i] * std::pow(means[i] - mean, 2);
  return variance;
}

double variance_two(const std::vector<double>& means, const std::vector<double>& first,
                    const std::vector<double>& second, double mean) {
  double variance = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j)
      variance += first[i] * second[j] * std::pow(means[i * second.size() + j] - mean, 2);
  }
  return variance;
}

// The forest's weighted variance over all combinations of levels.
double exact_variance(const RegressionForest& forest, const Weights& weights, double mean) {
  std::vector<std::uint32_t> row(weights.size(), 0);
  double variance = 0;
  while (true) {
    double weight = 1;
    for (std::size_t i = 0; i < row.size(); ++i) weight *= weights[i][row[i]];
    if (weight > 0) variance += weight * std::pow(forest.predict(row) - mean, 2);
    std::size_t digit = 0;
    while (digit < row.size() && ++row[digit] == weights[digit].size()) row[digit++] = 0;
    if (digit == row.size()) return variance;
  }
}

// The same over random combinations: each level comes from a random row of the data.
double sampled_variance(const RegressionForest& forest, const ForestData& data, double mean,
                        std::uint64_t seed) {
  SplitMix64 random(seed);
  const auto rows = static_cast<std::uint32_t>(data.rows.size());
  std::vector<std::uint32_t> row(data.features.size());
  double variance = 0;
  for (std::size_t n = 0; n < kMaxCombinations; ++n) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = data.rows[random.below(rows)][i];
    variance += std::pow(forest.predict(row) - mean, 2) / kMaxCombinations;
  }
  return variance;
}

double total_variance(const RegressionForest& forest, const ForestData& data,
                      const Weights& weights, double mean, std::uint64_t seed) {
  double combinations = 1;
  for (const ForestFeature& feature : data.features)
    combinations *= static_cast<double>(feature.levels);
  return combinations <= kMaxCombinations ? exact_variance(forest, weights, mean)
                                          : sampled_variance(forest, data, mean, seed);
}

Marginals forest_marginals(const RegressionForest& forest, const Weights& weights, double shift) {
  Box whole;
  for (const auto& feature : weights) {
    std::vector<std::uint32_t>& levels = whole.levels.emplace_back();
    for (std::uint32_t level = 0; level < feature.size(); ++level) levels.push_back(level);
    whole.weight.push_back(weight_of(feature, levels));
  }
  Marginals marginals(weights);
  for (const RegressionTree& tree : forest.trees())
    add_leaves(tree, 0, whole, weights, shift, marginals);
  const auto trees = static_cast<double>(forest.trees().size());
  marginals.mean /= trees;
  for (auto& means : marginals.one)
    for (double& mean : means) mean /= trees;
  for (auto& means : marginals.two)
    for (double& mean : means) mean /= trees;
  return marginals;
}

}  // namespace

FunctionalAnova functional_anova(const RegressionForest& forest, const ForestData& data,
                                 std::uint64_t seed) {
  const Weights weights = level_weights(data);
  // Sums of deviations lose less to rounding than sums of the responses.
  const double shift = forest.predict(data.rows.front());
  const Marginals marginals = forest_marginals(forest, weights, shift);
  FunctionalAnova anova;
  const std::size_t count = data.features.size();
  anova.main.resize(count, 0.0);
  anova.variance = total_variance(forest, data, weights, marginals.mean + shift, seed);
  const bool flat = anova.variance <= kRoundingVariance * std::max(1.0, shift * shift);
  if (flat) anova.variance = 0;
  double explained = 0;
  for (std::size_t i = 0; i < count && !flat; ++i) {
    anova.main[i] = variance_one(marginals.one[i], weights[i], marginals.mean) / anova.variance;
    explained += anova.main[i];
  }
  std::size_t pair = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j, ++pair) {
      AnovaPair& both = anova.pairs.emplace_back(AnovaPair{i, j, 0.0});
      if (flat) continue;
      const double together =
          variance_two(marginals.two[pair], weights[i], weights[j], marginals.mean);
      both.share = std::max(0.0, together / anova.variance - anova.main[i] - anova.main[j]);
      explained += both.share;
    }
  }
  anova.higher = flat ? 0 : std::max(0.0, 1 - explained);
  return anova;
}

}  // namespace warpwright
