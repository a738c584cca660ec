// What strategies that learn have in common: nothing is asked twice, a wish for what is known is
// answered at once, and where a strategy has no wish left, a configuration is drawn at random.
// Internal to search.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/strategy.h"
#include "space/lazy_shuffle.h"
#include "stats/split_mix.h"

namespace warpwright {

class Guided : public Strategy {
 public:
  // `name` is whose idea a question is said to be where its wish does not say.
  Guided(const SearchSpace& space, const StrategyOptions& options, std::string name);

  std::optional<std::uint64_t> ask() final;
  void tell(const Answer& answer) final;
  [[nodiscard]] std::string asker() const final { return asker_; }

 protected:
  // Of a failure: worse than everything.
  static constexpr double kFailed = std::numeric_limits<double>::infinity();
  // A wish that nobody waits for.
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  struct Wish {
    std::uint64_t index = 0;
    std::size_t owner = kNobody;  // is told what became of it
    std::string asker = "";       // "": the strategy
  };
  // The next wish, known or not; nullopt while there is none until more is answered.
  virtual std::optional<Wish> wish() = 0;
  // What comes even before the defaults.
  virtual std::optional<Wish> wish_before_all() { return std::nullopt; }
  // What became of an owner's wish. The cost is that of a pruned configuration's bound where there
  // is nothing better.
  virtual void answered(std::size_t owner, std::uint64_t index, double cost) = 0;
  // Every answer, whoever asked.
  virtual void heard(std::uint64_t /*index*/, double /*cost*/) {}

  [[nodiscard]] const SearchSpace& space() const { return space_; }
  [[nodiscard]] std::size_t asked() const { return asked_.size(); }
  [[nodiscard]] bool is_asked(std::uint64_t index) const { return asked_.contains(index); }
  [[nodiscard]] std::uint64_t any() { return uniform_below(space_.count(), generator_); }
  [[nodiscard]] SplitMix64& random() { return random_; }
  // Moves about `changes` of the levels, to any other or to the next one.
  void mutate(std::size_t group, double changes, std::vector<double>& levels);
  // How much worse a cost is: the logarithm of the ratio, where that means something.
  [[nodiscard]] static double worse_by(double cost, double than);
  // The valid configuration that is reached by taking, axis by axis, the level closest to what is
  // wished for; of two that are as close, either.
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

}  // namespace warpwright
