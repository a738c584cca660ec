#include "analysis/insight/landscape.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

constexpr double kWithin[] = {0.01, 0.05, 0.10, 0.25, 0.50};
constexpr double kQuantiles[] = {0.10, 0.25, 0.50, 0.75, 0.90, 1};
constexpr std::size_t kMaxBins = 20;
constexpr double kGoodChance = 0.95;
// Slowdowns are ratios of doubles; a configuration exactly 5 % slower is within 5 %.
constexpr double kRounding = 1e-12;

using LandscapeTimes = std::vector<ConfigurationTime>;

bool within(double slowdown, double fraction) { return slowdown <= 1 + fraction + kRounding; }

std::vector<NearBest> near_best(const LandscapeTimes& sorted, double best_us) {
  std::vector<NearBest> all;
  for (const double fraction : kWithin) {
    NearBest& near = all.emplace_back();
    near.within = fraction;
    for (const ConfigurationTime& time : sorted) {
      const bool inside = within(time.us / best_us, fraction);
      near.at_most += inside;
      near.configurations += inside && !time.at_least;
    }
  }
  return all;
}

// The smallest slowdowns that the given fractions of all configurations do not exceed; if a bound
// lies at or below one, the true one may be higher.
std::vector<SlowdownQuantile> slowdown_quantiles(const LandscapeTimes& sorted, double best_us) {
  std::vector<SlowdownQuantile> all;
  for (const double fraction : kQuantiles) {
    const double rank = std::ceil(fraction * static_cast<double>(sorted.size()) - kRounding);
    const std::size_t at = static_cast<std::size_t>(std::max(1.0, rank)) - 1;
    const double us = sorted[at].us;
    const bool at_least = std::any_of(sorted.begin(), sorted.end(), [&](const auto& time) {
      return time.at_least && time.us <= us;
    });
    all.push_back({fraction, {us / best_us, at_least}});
  }
  return all;
}

std::vector<SlowdownBin> slowdown_bins(const LandscapeTimes& sorted, double best_us) {
  const double range = std::log(sorted.back().us / best_us);
  const bool flat = !(range > 1e-9);
  // Sturges' rule: enough bins to show the shape of some hundreds, but not one bin per
  // configuration.
  const auto wanted =
      static_cast<std::size_t>(std::ceil(std::log2(static_cast<double>(sorted.size())))) + 1;
  const std::size_t count = flat ? 1 : std::min(kMaxBins, wanted);
  std::vector<SlowdownBin> bins(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto edge = [&](std::size_t k) {
      return std::exp(range * static_cast<double>(k) / static_cast<double>(count));
    };
    bins[i].low = edge(i);
    bins[i].high = edge(i + 1);
  }
  for (const ConfigurationTime& time : sorted) {
    const double place =
        flat ? 0 : std::log(time.us / best_us) / range * static_cast<double>(count);
    SlowdownBin& bin = bins[std::min(count - 1, static_cast<std::size_t>(std::max(0.0, place)))];
    (time.at_least ? bin.pruned : bin.timed) += 1;
  }
  return bins;
}

// For each parameter, the configurations that agree with a given one in all other parameters.
class Neighbourhood {
 public:
  explicit Neighbourhood(const LandscapeTimes& times) : groups_of_(times.size()) {
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < times.size(); ++i) {
      for (const auto& [left_out, ignored] : times[i].values) {
        const auto [it, added] = known.try_emplace(key_without(times[i], left_out), groups_.size());
        if (added) groups_.emplace_back();
        groups_[it->second].push_back(i);
        groups_of_[i].push_back(it->second);
      }
    }
    // Sorts the fastest first, so that each configuration finds its best neighbour at once.
    for (auto& group : groups_) {
      std::stable_sort(group.begin(), group.end(),
                       [&](std::size_t a, std::size_t b) { return times[a].us < times[b].us; });
    }
  }

  [[nodiscard]] std::size_t neighbours(std::size_t of) const {
    std::size_t count = 0;
    for (const std::size_t group : groups_of_[of]) count += groups_[group].size() - 1;
    return count;
  }
  // The fastest neighbour, or `of` itself if it has none.
  [[nodiscard]] std::size_t best_neighbour(std::size_t of, const LandscapeTimes& times) const {
    std::size_t best = of;
    for (const std::size_t group : groups_of_[of]) {
      for (const std::size_t other : groups_[group]) {
        if (other == of) continue;
        if (best == of || times[other].us < times[best].us) best = other;
        break;
      }
    }
    return best;
  }

 private:
  // Writes lengths so that a text value cannot be mistaken for the next name.
  static std::string key_without(const ConfigurationTime& time, const std::string& left_out) {
    std::string key = time.variant + '\n' + left_out + '\n';
    for (const auto& [name, value] : time.values) {
      if (name == left_out) continue;
      const std::string text = value.to_string();
      key += name + ' ' + value.type_name() + ' ' + std::to_string(text.size()) + ' ' + text + '\n';
    }
    return key;
  }

  std::vector<std::vector<std::size_t>> groups_;
  std::vector<std::vector<std::size_t>> groups_of_;  // by configuration
};

// A search treats bounds as times, but a minimum is only claimed if its time is known.
LocalMinima local_minima(const LandscapeTimes& sorted, double best_us) {
  LocalMinima result;
  const Neighbourhood near(sorted);
  // Times are sorted, so each step of a descent leads to an earlier entry, whose end is already
  // known.
  std::vector<std::size_t> end(sorted.size());
  std::size_t ends_good = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::size_t count = near.neighbours(i);
    result.mean_neighbours += static_cast<double>(count) / static_cast<double>(sorted.size());
    result.isolated += count == 0;
    const std::size_t best = near.best_neighbour(i, sorted);
    const bool stuck = !(sorted[best].us < sorted[i].us);
    end[i] = stuck ? i : end[best];
    const bool good = within(sorted[i].us / best_us, kGoodWithin) && !sorted[i].at_least;
    if (stuck && count > 0 && !sorted[i].at_least) {
      ++result.minima;
      result.good += good;
    }
    const ConfigurationTime& last = sorted[end[i]];
    ends_good += within(last.us / best_us, kGoodWithin) && !last.at_least;
  }
  result.descents_to_good = static_cast<double>(ends_good) / static_cast<double>(sorted.size());
  return result;
}

// The chance that `draws` of `all` without replacement miss every one of `special`.
double chance_of_none(std::size_t all, std::size_t special, std::size_t draws) {
  if (draws + special > all) return 0;
  double log_chance = 0;
  for (std::size_t i = 0; i < std::min(draws, special); ++i) {
    const std::size_t fixed = std::max(draws, special);
    log_chance += std::log1p(-static_cast<double>(fixed) / static_cast<double>(all - i));
  }
  return std::exp(log_chance);
}

// P(the best of n is the k-th of all N) = C(N - k, n - 1) / C(N, n), failed ones last; a recurrence
// in k, in logarithms because the first terms of large spaces vanish.
double expected_slowdown(const LandscapeTimes& sorted, double best_us, std::size_t all,
                         std::size_t draws) {
  const auto total = static_cast<double>(all);
  const auto n = static_cast<double>(draws);
  double log_chance = std::log(n / total);
  double sum = 0;
  double weight = 0;
  for (std::size_t k = 1; k <= sorted.size() && k + draws <= all + 1; ++k) {
    const double chance = std::exp(log_chance);
    sum += chance * sorted[k - 1].us / best_us;
    weight += chance;
    const double rest = total - static_cast<double>(k);
    if (rest - n + 1 <= 0) break;
    log_chance += std::log((rest - n + 1) / rest);
  }
  return weight > 0 ? sum / weight : sorted.front().us / best_us;
}

std::vector<std::size_t> budgets(std::size_t all) {
  std::vector<std::size_t> trials;
  for (std::size_t decade = 1; decade < all; decade *= 10) {
    for (const std::size_t some : {decade, 2 * decade, 5 * decade})
      if (some < all) trials.push_back(some);
  }
  trials.push_back(all);
  return trials;
}

// Found by bisection, because the chance grows with the number of trials.
std::size_t fewest_trials(std::size_t all, std::size_t good) {
  std::size_t low = 1;
  std::size_t high = all;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (1 - chance_of_none(all, good, middle) >= kGoodChance) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void add_budget(const LandscapeTimes& sorted, Landscape& landscape) {
  const std::size_t all = sorted.size() + landscape.failed;
  const auto good = static_cast<std::size_t>(
      std::count_if(sorted.begin(), sorted.end(), [&](const ConfigurationTime& time) {
        return !time.at_least && within(time.us / landscape.best_us, kGoodWithin);
      }));
  for (const std::size_t trials : budgets(all)) {
    landscape.budget.push_back({trials, expected_slowdown(sorted, landscape.best_us, all, trials),
                                1 - chance_of_none(all, good, trials),
                                chance_of_none(all, sorted.size(), trials)});
  }
  landscape.trials_for_good = fewest_trials(all, good);
}

// Times are not allowed below the board's best: a few samples of the screening may be shorter than
// the time from the winner's final ranking, and a bound was set while a slower configuration was
// the best.
LandscapeTimes times_from_best(const Leaderboard& board, double best_us) {
  LandscapeTimes times = configuration_times(board);
  for (ConfigurationTime& time : times) time.us = std::max(time.us, best_us);
  std::stable_sort(times.begin(), times.end(), [](const auto& a, const auto& b) {
    return a.us != b.us ? a.us < b.us : a.at_least < b.at_least;
  });
  return times;
}

}  // namespace

std::optional<Landscape> make_landscape(const Leaderboard& board) {
  const LandscapeTimes known = configuration_times(board);
  if (known.empty() || known.front().at_least) return std::nullopt;
  Landscape landscape;
  landscape.best_us = known.front().us;
  const LandscapeTimes times = times_from_best(board, landscape.best_us);
  landscape.modelled = board.modelled;
  landscape.imported = board.imported.has_value();
  landscape.configurations = times.size();
  landscape.pruned = static_cast<std::size_t>(
      std::count_if(times.begin(), times.end(), [](const auto& time) { return time.at_least; }));
  landscape.noisy = board.noisy;
  landscape.failed = static_cast<std::size_t>(
      std::count_if(board.untimed.begin(), board.untimed.end(),
                    [](const auto& row) { return !ran_right(row.trial.status); }));
  landscape.near_best = near_best(times, landscape.best_us);
  landscape.quantiles = slowdown_quantiles(times, landscape.best_us);
  landscape.bins = slowdown_bins(times, landscape.best_us);
  landscape.minima = local_minima(times, landscape.best_us);
  add_budget(times, landscape);
  return landscape;
}

}  // namespace warpwright
