// Differential evolution over the levels of the parameters. A member is replaced as soon as its own
// trial is answered, so answers may come in any order. Differences are taken only between members
// of the same variant.
// Source: R. Storn, K. Price, Differential Evolution, Journal of Global Optimization 11 (1997).
#include <algorithm>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

class DifferentialEvolution : public Guided {
 public:
  DifferentialEvolution(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "differential_evolution"),
        members_(static_cast<std::size_t>(options.integer("population", 15))),
        weight_(options.real("weight", 0.7)),
        crossover_(options.real("crossover", 0.6)) {}

 private:
  struct Member {
    std::optional<SearchSpace::Place> place;
    double cost = kFailed;
    bool waits = false;
  };

  std::optional<Wish> wish() override {
    for (std::size_t tried = 0; tried < members_.size(); ++tried) {
      const std::size_t owner = next_++ % members_.size();
      Member& member = members_[owner];
      if (member.waits) continue;
      member.waits = true;
      return Wish{member.place ? trial(owner) : any(), owner};
    }
    return std::nullopt;
  }

  void answered(std::size_t owner, std::uint64_t index, double cost) override {
    Member& member = members_[owner];
    member.waits = false;
    if (cost == kFailed || (member.place && cost > member.cost)) return;
    member.place = space().place_at(index);
    member.cost = cost;
  }

  // The other members of the same variant.
  std::vector<const Member*> relatives(std::size_t owner) const {
    std::vector<const Member*> result;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Member& member = members_[i];
      if (i != owner && member.place && member.place->group == members_[owner].place->group)
        result.push_back(&member);
    }
    return result;
  }

  // Moves from the member towards one of the best relatives and along the difference of two others.
  std::uint64_t trial(std::size_t owner) {
    const SearchSpace::Place& own = *members_[owner].place;
    std::vector<const Member*> others = relatives(owner);
    if (others.size() < 3) return any();
    std::sort(others.begin(), others.end(),
              [](const Member* a, const Member* b) { return a->cost < b->cost; });
    const auto draw = [&] {
      return others[random().below(static_cast<std::uint32_t>(others.size()))];
    };
    // Pick one of the best three; using only the best would gather all members in one place.
    const Member& best = *others[random().below(3)];
    const Member& first = *draw();
    const Member& second = *draw();
    std::vector<double> levels(own.levels.begin(), own.levels.end());
    if (levels.empty()) return any();
    const std::size_t always = random().below(static_cast<std::uint32_t>(levels.size()));
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (i != always && random().uniform() >= crossover_) continue;
      const double here = levels[i];
      const double there = best.place->levels[i];
      const double apart = static_cast<double>(first.place->levels[i]) -
                           static_cast<double>(second.place->levels[i]);
      levels[i] = here + weight_ * (there - here) + weight_ * apart;
    }
    return repaired(own.group, levels);
  }

  std::vector<Member> members_;
  const double weight_, crossover_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_differential_evolution(const SearchSpace& space,
                                                      const StrategyOptions& options) {
  return std::make_unique<DifferentialEvolution>(space, options);
}

}  // namespace warpwright
