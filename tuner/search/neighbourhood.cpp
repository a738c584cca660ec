// Strategies that walk from a configuration to its neighbours, adapted to answers that come late
// and in any order.
#include <algorithm>
#include <cmath>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

// Iterated local search: from a start, move to the best neighbour until none is better, then
// restart. Configurations that were tried are tabu, and every other start is a perturbation of the
// best one known.
// Source: H. R. Lourenço, O. C. Martin, T. Stützle, Iterated Local Search, Handbook of
// Metaheuristics (2003); F. Glover, Tabu Search, ORSA Journal on Computing 1 (1989).
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

namespace {

// Simulated annealing: several walks that also go uphill, less and less often. Costs are compared
// as ratios. Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by Simulated
// Annealing, Science 220 (1983).
class Annealing : public Guided {
 public:
  Annealing(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "annealing"),
        walks_(static_cast<std::size_t>(options.integer("walks", 2))),
        hot_(options.real("hot", 0.2)),
        cold_(options.real("cold", 0.01)),
        length_(static_cast<double>(options.budget.value_or(400))) {}

 private:
  struct Walk {
    std::optional<std::uint64_t> at;
    double cost = kFailed;
    bool waits = false;
    int stuck = 0;
  };

  // A walk that makes this many steps without improvement restarts from the best known place.
  static constexpr int kStuck = 40;

  std::optional<Wish> wish() override {
    const auto free =
        std::find_if(walks_.begin(), walks_.end(), [](const Walk& walk) { return !walk.waits; });
    // Add a walk when proposals are answered late.
    Walk& walk = free == walks_.end() ? walks_.emplace_back() : *free;
    walk.waits = true;
    return Wish{step(walk), static_cast<std::size_t>(&walk - walks_.data())};
  }

  std::uint64_t step(Walk& walk) {
    if (walk.stuck >= kStuck && best_) {
      walk.at = best_;
      walk.cost = best_cost_;
      walk.stuck = 0;
    }
    if (!walk.at) return any();
    const std::vector<std::uint64_t> around = space().neighbours(*walk.at);
    if (around.empty()) return any();
    return around[random().below(static_cast<std::uint32_t>(around.size()))];
  }

  void answered(std::size_t owner, std::uint64_t index, double cost) override {
    Walk& walk = walks_[owner];
    walk.waits = false;
    ++walk.stuck;
    if (cost == kFailed) return;
    const double uphill = walk.at ? worse_by(cost, walk.cost) : 0;
    if (walk.at && uphill > 0 && random().uniform() >= std::exp(-uphill / temperature())) return;
    if (uphill < 0) walk.stuck = 0;
    walk.at = index;
    walk.cost = cost;
  }

  void heard(std::uint64_t index, double cost) override {
    ++heard_;
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_ = index;
  }

  [[nodiscard]] double temperature() const {
    return hot_ * std::pow(cold_ / hot_, std::min(1.0, heard_ / length_));
  }

  std::vector<Walk> walks_;
  const double hot_, cold_, length_;
  double heard_ = 0;
  std::optional<std::uint64_t> best_;
  double best_cost_ = kFailed;
};

}  // namespace

std::unique_ptr<Strategy> make_annealing(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Annealing>(space, options);
}

}  // namespace warpwright
