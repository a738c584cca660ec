#include "analysis/compare/model_ranking.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "stats/rank_correlation.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

std::optional<double> tau_of(const std::vector<ModelledConfiguration>& configurations,
                             bool timed_only) {
  std::vector<double> modelled, measured;
  for (const ModelledConfiguration& one : configurations) {
    if (timed_only && !one.measured.timed) continue;
    modelled.push_back(one.modelled_us);
    measured.push_back(one.measured.measured_us);
  }
  const double tau = kendall_tau_b(modelled, measured);
  return std::isnan(tau) ? std::nullopt : std::optional(tau);
}

// The chance for draws without replacement: 1 - C(bad, picks) / C(all, picks).
double chance_of_a_good_one(std::size_t bad, std::size_t all, std::size_t picks) {
  double none = 1;
  for (std::size_t i = 0; i < picks; ++i)
    none *= bad > i ? static_cast<double>(bad - i) / static_cast<double>(all - i) : 0.0;
  return 1 - none;
}

// Puts "variant=" before a text that begins with the variant's name.
std::string as_argument(const Database::TrialRow& row) {
  const std::string& text = row.trial.configuration_text;
  const std::string& variant = row.trial.variant;
  return text.starts_with(variant) ? "variant=" + text : "variant=" + variant + " " + text;
}

// FNV-1a, so that every platform makes the same draw.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

}  // namespace

std::vector<MeasuredConfiguration> measured_configurations(const Leaderboard& board) {
  std::vector<MeasuredConfiguration> found;
  // Use the trial's own time: a final ranking's was taken together with other configurations.
  for (const LeaderboardEntry& entry : board.entries)
    found.push_back(
        {as_argument(entry.row), true, entry.row.trial.median_us.value_or(entry.median_us)});
  for (const Database::TrialRow& row : board.untimed)
    if (row.trial.status == Status::kPruned && row.trial.at_least_us)
      found.push_back({as_argument(row), false, *row.trial.at_least_us});
  std::sort(found.begin(), found.end(),
            [](const MeasuredConfiguration& a, const MeasuredConfiguration& b) {
              return a.configuration < b.configuration;
            });
  return found;
}

std::vector<MeasuredConfiguration> draw_configurations(std::vector<MeasuredConfiguration> from,
                                                       std::size_t count, std::uint64_t seed,
                                                       const std::string& name) {
  SplitMix64 random(seed ^ hash_of(name));
  count = std::min(count, from.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t rest = from.size() - i;
    std::swap(from[i], from[i + random.below(static_cast<std::uint32_t>(rest))]);
  }
  from.resize(count);
  return from;
}

ModelRanking rank_model(const std::vector<ModelledConfiguration>& configurations) {
  WARPWRIGHT_CHECK(!configurations.empty(), "an order needs something to be in it");
  ModelRanking ranking;
  ranking.drawn = configurations.size();
  ranking.tau = tau_of(configurations, false);
  ranking.tau_timed = tau_of(configurations, true);
  std::vector<ModelledConfiguration> order = configurations;
  std::stable_sort(order.begin(), order.end(),
                   [](const ModelledConfiguration& a, const ModelledConfiguration& b) {
                     return a.modelled_us < b.modelled_us;
                   });
  double best = order.front().measured.measured_us;
  for (const ModelledConfiguration& one : order) best = std::min(best, one.measured.measured_us);
  ranking.picks = std::min(kModelPicks, order.size());
  double picked = order.front().measured.measured_us;
  for (std::size_t i = 0; i < ranking.picks; ++i)
    picked = std::min(picked, order[i].measured.measured_us);
  ranking.best_pick = best > 0 ? picked / best : 1;
  const auto bad = std::count_if(order.begin(), order.end(), [&](const ModelledConfiguration& one) {
    return one.measured.measured_us > kGoodPick * best;
  });
  ranking.chance = chance_of_a_good_one(static_cast<std::size_t>(bad), order.size(), ranking.picks);
  return ranking;
}

}  // namespace warpwright
