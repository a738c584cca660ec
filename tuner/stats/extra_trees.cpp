#include "stats/extra_trees.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "stats/split_mix.h"

namespace warpwright {

ExtraTreesData::ExtraTreesData(std::vector<std::size_t> names)
    : names_(std::move(names)), columns_(names_.size()) {
  for (const std::size_t count : names_)
    WARPWRIGHT_CHECK(count <= kMaxNames, "a feature has more names than a tree can tell apart");
}

void ExtraTreesData::add(std::span<const float> row, double response, bool failed) {
  WARPWRIGHT_CHECK(row.size() == columns_.size() && std::isfinite(response),
                   "a row is complete and has a finite response");
  for (std::size_t i = 0; i < row.size(); ++i) columns_[i].push_back(row[i]);
  responses_.push_back(response);
  failed_.push_back(failed ? 1 : 0);
}

// Grows one tree after another into a shared list of nodes.
class ExtraTrees::Grower {
 public:
  Grower(const ExtraTreesData& data, const ExtraTreesOptions& options, std::vector<Node>& nodes)
      : data_(data),
        options_(options),
        nodes_(nodes),
        random_(options.seed),
        rows_(data.rows()),
        order_(data.features()) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    const auto features = static_cast<double>(order_.size());
    tried_ = std::min(static_cast<std::size_t>(std::ceil(options.feature_share * features)),
                      options.most_features);
    tried_ = std::clamp<std::size_t>(tried_, 1, order_.size());
  }

  std::uint32_t grow() {
    std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
    const auto root = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    std::vector<Part> open{{root, 0, rows_.size()}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      const Split split = settle(part);
      if (split.feature < 0) continue;
      const std::size_t middle = divide(part, split);
      const auto left = static_cast<std::uint32_t>(nodes_.size());
      nodes_.resize(nodes_.size() + 2);
      Node& node = nodes_[part.node];
      node.feature = split.feature;
      node.threshold = split.threshold;
      node.names = split.names;
      node.left = left;
      open.push_back({left, part.begin, middle});
      open.push_back({left + 1, middle, part.end});
    }
    return root;
  }

 private:
  struct Part {
    std::uint32_t node;
    std::size_t begin, end;  // of rows_
  };
  struct Split {
    std::int32_t feature = -1;
    float threshold = 0;
    std::uint64_t names = 0;
    double gain = -1;
  };

  // Sets the node's statistics, and the split that divides its rows.
  Split settle(const Part& part) {
    double sum = 0;
    double squares = 0;
    double failed = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const double response = data_.response(rows_[i]);
      sum += response;
      squares += response * response;
      failed += data_.failed(rows_[i]) ? 1 : 0;
    }
    const auto count = static_cast<double>(part.end - part.begin);
    nodes_[part.node].mean = sum / count;
    nodes_[part.node].failing = static_cast<float>(failed / count);
    Split best;
    const bool alike = squares - sum * sum / count <= 1e-12 * (1 + squares);
    if (part.end - part.begin < 2 * options_.rows_in_leaf || alike) return best;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < order_.size() && tried < tried_; ++i) {
      const auto left = static_cast<std::uint32_t>(order_.size() - i);
      std::swap(order_[i], order_[i + random_.below(left)]);
      Split split = draw(part, order_[i]);
      if (split.feature < 0) continue;
      ++tried;
      split.gain = gain(part, split, sum);
      if (split.gain > best.gain) best = split;
    }
    return best;
  }

  // Draws a random split of a feature that varies in this part.
  Split draw(const Part& part, std::uint32_t feature) {
    Split split;
    const std::vector<float>& column = data_.column(feature);
    if (data_.names(feature) > 0) {
      std::uint64_t present = 0;
      for (std::size_t i = part.begin; i < part.end; ++i) present |= bit(column[rows_[i]]);
      if ((present & (present - 1)) == 0) return split;
      do split.names = random_.bits() & present;
      while (split.names == 0 || split.names == present);
      // Names that occur in no row here go to either side at random.
      split.names |= random_.bits() & ~present;
    } else {
      float least = column[rows_[part.begin]];
      float most = least;
      for (std::size_t i = part.begin; i < part.end; ++i) {
        least = std::min(least, column[rows_[i]]);
        most = std::max(most, column[rows_[i]]);
      }
      if (!(most > least)) return split;
      const double at = least + (most - least) * random_.uniform();
      split.threshold = std::min(static_cast<float>(at), std::nextafter(most, least));
    }
    split.feature = static_cast<std::int32_t>(feature);
    return split;
  }

  static std::uint64_t bit(float name) { return std::uint64_t{1} << static_cast<unsigned>(name); }

  static bool goes_left(const Split& split, bool named, float value) {
    return named ? (split.names & bit(value)) != 0 : value <= split.threshold;
  }

  // The reduction of the squared error by the split; below 0 if it leaves too few rows on a side.
  [[nodiscard]] double gain(const Part& part, const Split& split, double sum) const {
    const std::vector<float>& column = data_.column(static_cast<std::size_t>(split.feature));
    const bool named = data_.names(static_cast<std::size_t>(split.feature)) > 0;
    double left = 0;
    double count = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (!goes_left(split, named, column[rows_[i]])) continue;
      left += data_.response(rows_[i]);
      ++count;
    }
    const double others = static_cast<double>(part.end - part.begin) - count;
    if (std::min(count, others) < static_cast<double>(options_.rows_in_leaf)) return -1;
    return left * left / count + (sum - left) * (sum - left) / others;
  }

  std::size_t divide(const Part& part, const Split& split) {
    const std::vector<float>& column = data_.column(static_cast<std::size_t>(split.feature));
    const bool named = data_.names(static_cast<std::size_t>(split.feature)) > 0;
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(part.begin);
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(part.end);
    const auto middle = std::partition(
        begin, end, [&](std::uint32_t row) { return goes_left(split, named, column[row]); });
    return static_cast<std::size_t>(middle - rows_.begin());
  }

  const ExtraTreesData& data_;
  const ExtraTreesOptions& options_;
  std::vector<Node>& nodes_;
  SplitMix64 random_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> order_;
  std::size_t tried_ = 0;
};

ExtraTrees::ExtraTrees(const ExtraTreesData& data, const ExtraTreesOptions& options) {
  WARPWRIGHT_CHECK(data.rows() > 0 && data.features() > 0 && options.trees > 0,
                   "a forest needs rows, features and a tree");
  for (std::size_t i = 0; i < data.features(); ++i) named_.push_back(data.names(i) > 0 ? 1 : 0);
  nodes_.reserve(2 * data.rows() * options.trees);
  Grower grower(data, options, nodes_);
  for (std::size_t i = 0; i < options.trees; ++i) roots_.push_back(grower.grow());
}

ExtraTrees::Prediction ExtraTrees::predict(std::span<const float> row) const {
  WARPWRIGHT_CHECK(row.size() == named_.size(), "a row is complete");
  double sum = 0;
  double squares = 0;
  double failing = 0;
  for (const std::uint32_t root : roots_) {
    const Node* node = &nodes_[root];
    while (node->feature >= 0) {
      const auto feature = static_cast<std::size_t>(node->feature);
      const bool left = named_[feature] != 0
                            ? (node->names >> static_cast<unsigned>(row[feature]) & 1) != 0
                            : row[feature] <= node->threshold;
      node = &nodes_[node->left + (left ? 0 : 1)];
    }
    sum += node->mean;
    squares += node->mean * node->mean;
    failing += node->failing;
  }
  const auto trees = static_cast<double>(roots_.size());
  const double mean = sum / trees;
  return {mean, std::sqrt(std::max(0.0, squares / trees - mean * mean)), failing / trees};
}

}  // namespace warpwright
