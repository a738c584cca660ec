// Iterated local search: from a start, move to the best neighbour until none is better, then
// restart. Configurations that were tried are tabu, and every other start is a perturbation of the
// best one known.
// Source: H. R. Lourenço, O. C. Martin, T. Stützle, Iterated Local Search, Handbook of
// Metaheuristics (2003); F. Glover, Tabu Search, ORSA Journal on Computing 1 (1989).
#include <algorithm>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

class Local : public Guided {
 public:
  Local(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "local"),
        starts_(static_cast<std::size_t>(options.integer("starts", 8))),
        shaken_(static_cast<std::size_t>(options.integer("shaken", 3))) {}

 private:
  static constexpr std::size_t kStart = 0;
  static constexpr std::size_t kStep = 1;

  std::optional<Wish> wish() override {
    if (begun_ < starts_) {
      ++begun_;
      return Wish{any(), kStart};
    }
    if (!at_) return Wish{any(), kStart};
    if (around_.empty()) {
      if (waiting_ > 0) return Wish{any(), kNobody};
      return Wish{restart(), kStart};
    }
    const std::uint64_t next = around_.back();
    around_.pop_back();
    ++waiting_;
    return Wish{next, kStep};
  }

  void answered(std::size_t owner, std::uint64_t index, double cost) override {
    if (owner == kStep) --waiting_;
    if (cost < best_cost_) {
      best_cost_ = cost;
      best_ = index;
    }
    const bool begins = owner == kStart && begun_ >= starts_ && restarting_;
    if (cost == kFailed || (cost >= cost_ && !begins)) return;
    restarting_ = false;
    go_to(index, cost);
  }

  void go_to(std::uint64_t index, double cost) {
    at_ = index;
    cost_ = cost;
    around_ = space().neighbours(index);
    for (std::size_t i = around_.size(); i > 1; --i)
      std::swap(around_[i - 1], around_[random().below(static_cast<std::uint32_t>(i))]);
  }

  std::uint64_t restart() {
    restarting_ = true;
    if (!best_ || random().below(4) == 0) return any();
    std::uint64_t index = *best_;
    for (std::size_t i = 0; i < shaken_; ++i) {
      const std::vector<std::uint64_t> around = space().neighbours(index);
      if (around.empty()) return any();
      index = around[random().below(static_cast<std::uint32_t>(around.size()))];
    }
    return index;
  }

  const std::size_t starts_, shaken_;
  std::size_t begun_ = 0;
  std::optional<std::uint64_t> at_, best_;
  double cost_ = kFailed, best_cost_ = kFailed;
  std::vector<std::uint64_t> around_;  // not wished for yet
  std::size_t waiting_ = 0;
  bool restarting_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_local(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Local>(space, options);
}

}  // namespace warpwright
