#include "search/guided.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// The number of consecutive wishes for known configurations before one is drawn at random: a
// strategy that has converged no longer wishes for new ones.
constexpr int kPatience = 200;

}  // namespace

Guided::Guided(const SearchSpace& space, const StrategyOptions& options, std::string name)
    : space_(space),
      name_(std::move(name)),
      random_(options.seed),
      generator_(random_.bits()),
      shuffle_(space.count()),
      first_(options.first.rbegin(), options.first.rend()) {
  for (const std::string& variant : space.variants()) {
    std::vector<std::uint32_t>& counts = level_counts_.emplace_back();
    for (const SearchSpace::Axis& axis : space.axes(variant))
      counts.push_back(static_cast<std::uint32_t>(axis.values.size()));
  }
}

std::optional<std::uint64_t> Guided::ask() {
  if (asked_.size() >= space_.count()) return std::nullopt;
  if (const std::optional<Wish> wished = wish_before_all();
      wished && asked_.try_emplace(wished->index).second) {
    asker_ = wished->asker;
    return wished->index;
  }
  while (!first_.empty()) {
    const std::uint64_t index = first_.back();
    first_.pop_back();
    if (!asked_.try_emplace(index).second) continue;
    asker_ = "default";
    return index;
  }
  for (int i = 0; i < kPatience; ++i) {
    const std::optional<Wish> wished = wish();
    if (!wished) break;
    const auto [known, fresh] = asked_.try_emplace(wished->index);
    State& state = known->second;
    if (!fresh && state.cost) {
      if (wished->owner != kNobody) answered(wished->owner, wished->index, *state.cost);
      continue;
    }
    if (wished->owner != kNobody) state.waiting.push_back(wished->owner);
    if (!fresh) continue;
    asker_ = wished->asker.empty() ? name_ : wished->asker;
    return wished->index;
  }
  asker_ = name_;
  return unasked();
}

std::optional<std::uint64_t> Guided::unasked() {
  while (const std::optional<std::uint64_t> index = shuffle_.next(generator_)) {
    if (asked_.try_emplace(*index).second) return index;
  }
  return std::nullopt;
}

void Guided::tell(const Answer& answer) {
  const double cost = answer.cost ? *answer.cost : answer.at_least.value_or(kFailed);
  State& state = asked_[answer.index];
  state.cost = cost;
  const std::vector<std::size_t> waiting = std::move(state.waiting);
  state.waiting.clear();
  heard(answer.index, cost);
  for (const std::size_t owner : waiting) answered(owner, answer.index, cost);
}

void Guided::mutate(std::size_t group, double changes, std::vector<double>& levels) {
  const double chance = changes / static_cast<double>(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (random_.uniform() >= chance) continue;
    if (random_.below(2) == 0) {
      levels[i] = random_.below(level_counts_[group][i]);
    } else {
      levels[i] += random_.below(2) == 0 ? 1 : -1;
    }
  }
}

double Guided::worse_by(double cost, double than) {
  if (cost == than) return 0;
  if (cost > 0 && than > 0) return std::log(cost / than);
  return (cost - than) / std::max(std::abs(cost), std::abs(than));
}

std::uint64_t Guided::repaired(std::size_t group, const std::vector<double>& levels) {
  SearchSpace::Place place{group, {}};
  for (const double wanted : levels) {
    double closest = std::numeric_limits<double>::infinity();
    std::uint32_t chosen = 0;
    for (const SearchSpace::Choice& choice : space_.choices(place)) {
      const double apart = std::abs(static_cast<double>(choice.level) - wanted);
      if (apart > closest || (apart == closest && random_.below(2) == 0)) continue;
      closest = apart;
      chosen = choice.level;
    }
    place.levels.push_back(chosen);
  }
  return space_.index_of(place).value();
}

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
