// Strategies that do not depend on the answers: a spread sample, everything in order, and random
// draws.
#include <algorithm>
#include <numeric>
#include <random>

#include "search/guided.h"
#include "search/strategies.h"
#include "space/search_space.h"

namespace warpwright {
namespace {

// Latin hypercube sampling: in each batch, every quantile of each parameter is drawn once. A
// quantile is a share of the valid configurations that continue the values chosen before it, so
// that constraints do not leave any part of the sample empty.
// Source: M. D. McKay, R. J. Beckman, W. J. Conover, A Comparison of Three Methods for Selecting
// Values of Input Variables, Technometrics 21 (1979).
class LatinHypercube : public Guided {
 public:
  LatinHypercube(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "latin_hypercube"),
        batch_(static_cast<std::size_t>(
            options.integer("batch", static_cast<std::int64_t>(std::clamp<std::uint64_t>(
                                         options.budget.value_or(32), 2, 1000))))) {
    for (const std::string& variant : space.variants()) {
      const std::vector<SearchSpace::Choice> first = space.axes(variant).empty()
                                                         ? std::vector<SearchSpace::Choice>{{0, 1}}
                                                         : space.choices({ways_.size(), {}});
      std::uint64_t ways = 0;
      for (const SearchSpace::Choice& choice : first) ways += choice.ways;
      ways_.push_back(ways);
      axes_ = std::max(axes_, space.axes(variant).size());
    }
  }

 private:
  std::optional<Wish> wish() override {
    if (next_ == strata_.size()) refill();
    return Wish{at(strata_[next_++]), kNobody};
  }

  void answered(std::size_t /*owner*/, std::uint64_t /*index*/, double /*cost*/) override {}

  // Draws one point of the unit cube of variant and axes for each member of the batch.
  void refill() {
    next_ = 0;
    strata_.assign(batch_, std::vector<double>(1 + axes_));
    std::vector<std::size_t> order(batch_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t axis = 0; axis <= axes_; ++axis) {
      for (std::size_t i = batch_; i > 1; --i)
        std::swap(order[i - 1], order[random().below(static_cast<std::uint32_t>(i))]);
      for (std::size_t i = 0; i < batch_; ++i) {
        strata_[i][axis] =
            (static_cast<double>(order[i]) + random().uniform()) / static_cast<double>(batch_);
      }
    }
  }

  // Returns the first option at which the cumulative share of the counts reaches the quantile.
  static std::size_t quantile(const std::vector<std::uint64_t>& ways, double share) {
    double all = 0;
    for (const std::uint64_t count : ways) all += static_cast<double>(count);
    double sum = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      sum += static_cast<double>(ways[i]);
      if (ways[i] > 0 && share * all < sum) return i;
    }
    return ways.size() - 1;
  }

  std::uint64_t at(const std::vector<double>& shares) {
    SearchSpace::Place place{quantile(ways_, shares[0]), {}};
    const std::size_t axes = space().axes(space().variants()[place.group]).size();
    while (place.levels.size() < axes) {
      const std::vector<SearchSpace::Choice> choices = space().choices(place);
      std::vector<std::uint64_t> ways;
      for (const SearchSpace::Choice& choice : choices) ways.push_back(choice.ways);
      const double share = shares[1 + place.levels.size()];
      place.levels.push_back(choices[quantile(ways, share)].level);
    }
    return space().index_of(place).value();
  }

  const std::size_t batch_;
  std::vector<std::uint64_t> ways_;  // by variant
  std::size_t axes_ = 0;
  std::vector<std::vector<double>> strata_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_latin_hypercube(const SearchSpace& space,
                                               const StrategyOptions& options) {
  return std::make_unique<LatinHypercube>(space, options);
}

namespace {

class Exhaustive : public Strategy {
 public:
  explicit Exhaustive(std::uint64_t count) : count_(count) {}

  std::optional<std::uint64_t> ask() override {
    if (next_ == count_) return std::nullopt;
    return next_++;
  }
  void tell(const Answer& /*answer*/) override {}
  [[nodiscard]] std::string asker() const override { return "exhaustive"; }

 private:
  std::uint64_t count_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space,
                                          const StrategyOptions& /*options*/) {
  return std::make_unique<Exhaustive>(space.count());
}

namespace {

class Random : public Strategy {
 public:
  Random(std::uint64_t count, std::uint64_t seed) : generator_(seed), shuffle_(count) {}

  std::optional<std::uint64_t> ask() override { return shuffle_.next(generator_); }
  void tell(const Answer& /*answer*/) override {}
  [[nodiscard]] std::string asker() const override { return "random"; }

 private:
  std::mt19937_64 generator_;
  LazyShuffle shuffle_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Random>(space.count(), options.seed);
}

}  // namespace warpwright
