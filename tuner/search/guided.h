// The common part of strategies that learn: no configuration is proposed twice, a wish for a
// configuration whose cost is known is answered at once, and a strategy without a wish falls back
// to a random configuration. Internal to search.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/encoding.h"
#include "search/strategy.h"
#include "space/search_space.h"
#include "stats/split_mix.h"

namespace warpwright {

class Guided : public Strategy {
 public:
  // `name` is reported by asker() for proposals whose wish names no asker.
  Guided(const SearchSpace& space, const StrategyOptions& options, std::string name);

  std::optional<std::uint64_t> ask() final;
  void tell(const Answer& answer) final;
  [[nodiscard]] std::string asker() const final { return asker_; }

 protected:
  // The cost of a failure: worse than every other cost.
  static constexpr double kFailed = std::numeric_limits<double>::infinity();
  // The owner of a wish whose result no one needs.
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  struct Wish {
    std::uint64_t index = 0;
    std::size_t owner = kNobody;  // its answered() call receives the result
    std::string asker = "";       // "": the strategy
  };
  // The next wish, whether or not its cost is known; nullopt if there is none until more answers
  // arrive.
  virtual std::optional<Wish> wish() = 0;
  // A wish that takes precedence even over the defaults.
  virtual std::optional<Wish> wish_before_all() { return std::nullopt; }
  // Reports the result of an owner's wish. For a pruned configuration without a better figure, the
  // cost is the bound at which it was pruned.
  virtual void answered(std::size_t owner, std::uint64_t index, double cost) = 0;
  // Receives every answer, no matter which part proposed the configuration.
  virtual void heard(std::uint64_t /*index*/, double /*cost*/) {}

  [[nodiscard]] const SearchSpace& space() const { return space_; }
  [[nodiscard]] std::size_t asked() const { return asked_.size(); }
  [[nodiscard]] bool is_asked(std::uint64_t index) const { return asked_.contains(index); }
  [[nodiscard]] std::uint64_t any() { return uniform_below(space_.count(), generator_); }
  [[nodiscard]] SplitMix64& random() { return random_; }
  // Changes about `changes` of the levels, each to a random level or to an adjacent one.
  void mutate(std::size_t group, double changes, std::vector<double>& levels);
  // How much worse a cost is: the logarithm of the ratio if both costs are positive, otherwise a
  // relative difference.
  [[nodiscard]] static double worse_by(double cost, double than);
  // Returns the valid configuration that is reached by choosing, axis by axis, the level closest to
  // the wanted one; ties are broken at random.
  [[nodiscard]] std::uint64_t repaired(std::size_t group, const std::vector<double>& levels);

 private:
  struct State {
    std::optional<double> cost;  // nullopt until it is answered
    std::vector<std::size_t> waiting;
  };
  [[nodiscard]] std::optional<std::uint64_t> unasked();

  const SearchSpace& space_;
  const std::string name_;
  std::string asker_;
  std::vector<std::vector<std::uint32_t>> level_counts_;  // by variant and axis
  SplitMix64 random_;
  std::mt19937_64 generator_;
  LazyShuffle shuffle_;
  std::vector<std::uint64_t> first_;  // last first
  std::unordered_map<std::uint64_t, State> asked_;
};

// The moves of a learning strategy that do not come from its model: a point of a spread sample, a
// neighbour of a good configuration, and a child of two good ones.
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
