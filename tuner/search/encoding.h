// The configurations of a space as rows of features, from which a surrogate learns: which variant,
// every parameter, and sums and differences of logarithms of two sizes each, since what a kernel
// uses up is mostly a product (threads of a block, elements of a tile). Internal to search.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "space/search_space.h"

namespace warpwright {

class Encoding {
 public:
  explicit Encoding(const SearchSpace& space);

  // For each feature, the number of names, or 0 if it is a number (stats/extra_trees.h).
  [[nodiscard]] const std::vector<std::size_t>& names() const { return names_; }
  // Appends one row.
  void append(const SearchSpace::Place& place, std::vector<float>& rows) const;
  // The dissimilarity of two places: 0 if they are equal, plus at most 1 for each parameter that
  // differs.
  [[nodiscard]] double distance(const SearchSpace::Place& a, const SearchSpace::Place& b) const;

 private:
  struct Parameter {
    std::size_t feature = 0;
    bool number = true;
    std::vector<float> values;      // by level
    std::vector<float> logarithms;  // by level; empty unless it is a size
    std::size_t size = 0;           // which of the sizes it is
    std::vector<float> twos;        // by level; empty if 2 divides every value or none
    std::size_t twos_feature = 0;
  };
  struct Pair {
    std::size_t first = 0, second = 0;  // sizes
  };

  std::vector<std::vector<Parameter>> groups_;  // by group and axis
  std::vector<Pair> pairs_;
  std::vector<std::size_t> names_;
  std::size_t parameters_ = 0;  // features before the pairs
  std::size_t sizes_ = 0;
  bool variants_ = false;  // whether the first feature is the variant
};

// The answers that a learning strategy has received so far.
struct Knowledge {
  struct Seen {
    std::uint64_t index = 0;
    double cost = 0;
  };
  std::vector<Seen> seen;  // best first
  std::vector<std::uint64_t> failed;
  std::uint64_t since_better = 0;  // answers since the best
  // Proposed configurations without an answer, with their predicted responses.
  std::unordered_map<std::uint64_t, double> pending;

  [[nodiscard]] std::size_t answers() const { return seen.size() + failed.size(); }
};

}  // namespace warpwright
