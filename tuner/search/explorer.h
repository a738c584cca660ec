// The moves of a strategy that learns, besides what its model proposes: a spread sample, a
// neighbour of a good configuration, a child of two. Internal to search.
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

  using Taken = std::vector<std::uint64_t>;  // is about to be asked

  [[nodiscard]] const Encoding& encoding() const { return encoding_; }
  [[nodiscard]] Knowledge& knowledge() { return knowledge_; }
  [[nodiscard]] bool is_new(std::uint64_t index, const Taken& taken) const;

  // Far from all that was told to notice().
  std::uint64_t spread();
  void notice(std::uint64_t index) { sample_.push_back(space().place_at(index)); }
  // How far from the nearest of what was told to notice().
  [[nodiscard]] double apart(std::uint64_t index) const;
  // One that differs from a good configuration in one parameter, the less the likelier.
  std::optional<std::uint64_t> neighbour(const Taken& taken);
  // Of two good configurations, with a parameter changed now and then.
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
