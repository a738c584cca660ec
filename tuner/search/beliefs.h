// What sources of knowledge say of a space, and what a forest makes of it where they say nothing.
// Nobody takes their word: a few of the best believed are asked, and what sources say of a
// configuration is a feature from which a model of the costs learns as from any other. Internal to
// search.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "search/encoding.h"
#include "stats/extra_trees.h"

namespace warpwright {

class Beliefs {
 public:
  Beliefs(const SearchSpace& space, const Encoding& encoding)
      : space_(space), encoding_(encoding) {}

  // Costs above 0; others are not listened to. The latest word of a source counts. Of very many,
  // the best and some of all others are kept.
  void hear(std::size_t source, std::uint64_t index, double cost);
  // Grows the forests of sources that have said much more since.
  void learn();

  [[nodiscard]] std::size_t sources() const { return sources_.size(); }
  // What each source says or would say: of its logarithms of costs, 0 the least and 1 the greatest.
  // Appended to a row.
  void append(std::uint64_t index, std::vector<float>& row) const;
  // The best believed, best first, of each source.
  [[nodiscard]] const std::vector<std::uint64_t>& best(std::size_t source) const {
    return sources_[source].best;
  }

 private:
  struct Source {
    std::unordered_map<std::uint64_t, double> costs = {};  // in logarithms
    std::vector<std::uint64_t> best = {};
    std::size_t heard = 0, learnt = 0;  // words, and those that its forest knows of
    double least = 0, greatest = 0;
    std::optional<ExtraTrees> forest = std::nullopt;
  };
  static void thin(Source& source);
  void grow(Source& source) const;

  const SearchSpace& space_;
  const Encoding& encoding_;
  std::vector<Source> sources_;
};

}  // namespace warpwright
