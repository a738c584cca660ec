#include "stats/functional_anova.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stats/split_mix.h"

namespace warpwright {
namespace {

constexpr std::size_t kMostCombinations = 65536;
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
  for (std::size_t n = 0; n < kMostCombinations; ++n) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = data.rows[random.below(rows)][i];
    variance += std::pow(forest.predict(row) - mean, 2) / kMostCombinations;
  }
  return variance;
}

double total_variance(const RegressionForest& forest, const ForestData& data,
                      const Weights& weights, double mean, std::uint64_t seed) {
  double combinations = 1;
  for (const ForestFeature& feature : data.features)
    combinations *= static_cast<double>(feature.levels);
  return combinations <= kMostCombinations ? exact_variance(forest, weights, mean)
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
