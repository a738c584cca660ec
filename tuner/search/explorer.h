// The moves of a learning strategy that do not come from its model: a point of a spread sample, a
// neighbour of a good configuration, and a child of two good ones. Internal to search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/encoding.h"
#include "search/guided.h"
#include "search/knowledge.h"

namespace warpwright {

class Explorer : public Guided {
 protected:
  Explorer(const SearchSpace& space, const StrategyOptions& options, std::string name);

  using Taken = std::vector<std::uint64_t>;  // about to be proposed

  [[nodiscard]] const Encoding& encoding() const { return encoding_; }
  [[nodiscard]] Knowledge& knowledge() { return knowledge_; }
  [[nodiscard]] bool is_new(std::uint64_t index, const Taken& taken) const;

  // Returns a configuration that is far from all those passed to notice().
  std::uint64_t spread();
  void notice(std::uint64_t index) { sample_.push_back(space().place_at(index)); }
  // The distance to the nearest configuration passed to notice().
  [[nodiscard]] double apart(std::uint64_t index) const;
  // Returns a configuration that differs from a good one in one parameter; smaller changes are more
  // likely.
  std::optional<std::uint64_t> neighbour(const Taken& taken);
  // Combines two good configurations and occasionally changes a parameter.
  std::optional<std::uint64_t> child(const Taken& taken);

 private:
  void answered(std::size_t /*owner*/, std::uint64_t /*index*/, double /*cost*/) final {}
  void heard(std::uint64_t index, double cost) final;
  [[nodiscard]] std::uint64_t parent();

  const Encoding encoding_;
  Knowledge knowledge_;
  std::vector<SearchSpace::Place> sample_;
};

}  // namespace warpwright
