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

}  // namespace warpwright
