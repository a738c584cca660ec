// A genetic algorithm that replaces one member at a time, so that answers may come in any order.
// Source: D. Whitley, The GENITOR Algorithm and Selection Pressure, ICGA 1989.
#include <algorithm>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

class Genetic : public Guided {
 public:
  Genetic(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "genetic"),
        size_(static_cast<std::size_t>(options.integer("population", 20))),
        mutation_(options.real("mutation", 1.5)) {}

 private:
  struct Member {
    std::uint64_t index;
    double cost;
  };

  std::optional<Wish> wish() override {
    // All members share one owner: any answer may join the population.
    if (begun_ < size_) {
      ++begun_;
      return Wish{any(), 0};
    }
    if (members_.size() < 2) return std::nullopt;
    return Wish{child(), 0};
  }

  void answered(std::size_t /*owner*/, std::uint64_t index, double cost) override {
    const auto known = std::find_if(members_.begin(), members_.end(),
                                    [&](const Member& member) { return member.index == index; });
    if (known != members_.end()) return;
    const auto place =
        std::upper_bound(members_.begin(), members_.end(), cost,
                         [](double value, const Member& member) { return value < member.cost; });
    members_.insert(place, {index, cost});
    if (members_.size() > size_) members_.pop_back();
  }

  // Returns the better of two random members. Members are sorted, so that is the one nearer the
  // front.
  const Member& parent() {
    const auto count = static_cast<std::uint32_t>(members_.size());
    return members_[std::min(random().below(count), random().below(count))];
  }

  std::uint64_t child() {
    const SearchSpace::Place mother = space().place_at(parent().index);
    const SearchSpace::Place father = space().place_at(parent().index);
    std::vector<double> levels(mother.levels.begin(), mother.levels.end());
    for (std::size_t i = 0; i < levels.size() && mother.group == father.group; ++i)
      if (random().below(2) == 0) levels[i] = father.levels[i];
    mutate(mother.group, mutation_, levels);
    return repaired(mother.group, levels);
  }

  const std::size_t size_;
  const double mutation_;
  std::size_t begun_ = 0;
  std::vector<Member> members_;  // best first
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Genetic>(space, options);
}

}  // namespace warpwright
