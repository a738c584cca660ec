// Simulated annealing: several walks that also go uphill, less and less often. Costs are compared
// as ratios.
// Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by Simulated Annealing, Science
// 220 (1983).
#include <algorithm>
#include <cmath>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

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
