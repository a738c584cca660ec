#include "search/explorer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {
namespace {

// Local search starts from one of this many best configurations; better ones are more likely.
constexpr std::size_t kGood = 5;
// A spread sample draws this many configurations and takes the one least like the others.
constexpr std::size_t kSpread = 4;
// Parents are drawn from this many best configurations; better ones are more likely.
constexpr std::size_t kParents = 20;

double steps_between(const SearchSpace::Place& a, const SearchSpace::Place& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.levels.size(); ++i)
    sum += std::abs(static_cast<double>(a.levels[i]) - static_cast<double>(b.levels[i]));
  return sum;
}

}  // namespace

Explorer::Explorer(const SearchSpace& space, const StrategyOptions& options, std::string name)
    : Guided(space, options, std::move(name)), encoding_(space) {}

void Explorer::heard(std::uint64_t index, double cost) {
  knowledge_.pending.erase(index);
  ++knowledge_.since_better;
  if (cost >= kFailed) {
    knowledge_.failed.push_back(index);
    return;
  }
  std::vector<Knowledge::Seen>& seen = knowledge_.seen;
  const auto place =
      std::upper_bound(seen.begin(), seen.end(), cost,
                       [](double value, const Knowledge::Seen& one) { return value < one.cost; });
  if (seen.empty() || cost < seen.front().cost) knowledge_.since_better = 0;
  seen.insert(place, {index, cost});
}

bool Explorer::is_new(std::uint64_t index, const Taken& taken) const {
  return !is_asked(index) && std::find(taken.begin(), taken.end(), index) == taken.end();
}

double Explorer::apart(std::uint64_t index) const {
  const SearchSpace::Place place = space().place_at(index);
  double nearest = std::numeric_limits<double>::infinity();
  for (const SearchSpace::Place& other : sample_)
    nearest = std::min(nearest, encoding_.distance(place, other));
  return nearest;
}

std::uint64_t Explorer::spread() {
  std::uint64_t chosen = any();
  double farthest = -1;
  for (std::size_t i = 0; i < kSpread; ++i) {
    const std::uint64_t index = any();
    const double far = apart(index);
    if (far <= farthest) continue;
    farthest = far;
    chosen = index;
  }
  notice(chosen);
  return chosen;
}

std::optional<std::uint64_t> Explorer::child(const Taken& taken) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const SearchSpace::Place mother = space().place_at(parent());
    const SearchSpace::Place father = space().place_at(parent());
    std::vector<double> levels(mother.levels.begin(), mother.levels.end());
    for (std::size_t i = 0; i < levels.size() && mother.group == father.group; ++i)
      if (random().below(2) == 0) levels[i] = father.levels[i];
    mutate(mother.group, 1, levels);
    const std::uint64_t index = repaired(mother.group, levels);
    if (is_new(index, taken)) return index;
  }
  return std::nullopt;
}

std::uint64_t Explorer::parent() {
  const std::vector<Knowledge::Seen>& seen = knowledge_.seen;
  const auto most = static_cast<double>(std::min(kParents, seen.size()));
  return seen[static_cast<std::size_t>(most * random().uniform() * random().uniform())].index;
}

std::optional<std::uint64_t> Explorer::neighbour(const Taken& taken) {
  const auto good = static_cast<double>(std::min(kGood, knowledge_.seen.size()));
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto which = static_cast<std::size_t>(good * random().uniform() * random().uniform());
    const SearchSpace::Place here = space().place_at(knowledge_.seen[which].index);
    std::vector<std::uint64_t> around;
    std::vector<double> weights;
    double sum = 0;
    for (const std::uint64_t index : space().neighbours(knowledge_.seen[which].index)) {
      if (!is_new(index, taken)) continue;
      around.push_back(index);
      weights.push_back(1 / steps_between(here, space().place_at(index)));
      sum += weights.back();
    }
    if (around.empty()) continue;
    double at = random().uniform() * sum;
    std::size_t i = 0;
    while (i + 1 < around.size() && at > weights[i]) at -= weights[i++];
    return around[i];
  }
  return std::nullopt;
}

}  // namespace warpwright
