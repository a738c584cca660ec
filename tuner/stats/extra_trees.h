// A forest of extremely randomized trees: predicts the response of unseen rows, how much the trees
// disagree about it, and how likely a row is to fail. Splits are drawn at random and the best of a
// few is taken, so growing a forest takes a millisecond for hundreds of rows. Equal data and seed
// give equal forests on every machine.
// Source: P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning 63 (2006).
// stats/regression_forest.h serves to explain measured data, level by level; this forest serves to
// predict.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpwright {

// Rows of features. A feature is a number, or one of at most kMaxNames names (0, 1, ...), which
// have no order.
class ExtraTreesData {
 public:
  static constexpr std::size_t kMaxNames = 64;

  // Per feature, the number of names, or 0 for a number.
  explicit ExtraTreesData(std::vector<std::size_t> names);

  // A row that failed also needs a response: the value that a failure is considered equal to.
  // Finite.
  void add(std::span<const float> row, double response, bool failed);

  [[nodiscard]] std::size_t features() const { return columns_.size(); }
  [[nodiscard]] std::size_t rows() const { return responses_.size(); }
  [[nodiscard]] std::size_t names(std::size_t feature) const { return names_[feature]; }
  [[nodiscard]] const std::vector<float>& column(std::size_t feature) const {
    return columns_[feature];
  }
  [[nodiscard]] double response(std::size_t row) const { return responses_[row]; }
  [[nodiscard]] bool failed(std::size_t row) const { return failed_[row] != 0; }

 private:
  std::vector<std::size_t> names_;
  std::vector<std::vector<float>> columns_;
  std::vector<double> responses_;
  std::vector<char> failed_;
};

struct ExtraTreesOptions {
  std::size_t trees = 40;
  double feature_share = 0.5;      // the share of features tried at each split, rounded up
  std::size_t most_features = 32;  // upper limit of that number
  std::size_t rows_in_leaf = 2;    // at least
  std::uint64_t seed = 1;
};

class ExtraTrees {
 public:
  // Needs at least one row and one feature.
  explicit ExtraTrees(const ExtraTreesData& data, const ExtraTreesOptions& options = {});

  struct Prediction {
    double mean = 0;
    double spread = 0;   // standard deviation among the trees
    double failing = 0;  // the chance to fail, 0 to 1
  };
  [[nodiscard]] Prediction predict(std::span<const float> row) const;

 private:
  struct Node {
    std::int32_t feature = -1;  // -1 is a leaf
    float threshold = 0;        // numbers up to it go left
    std::uint64_t names = 0;    // names whose bit is set go left
    std::uint32_t left = 0;     // the right child follows it
    float failing = 0;
    double mean = 0;
  };
  class Grower;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
  std::vector<char> named_;  // by feature
};

}  // namespace warpwright
