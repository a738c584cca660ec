#include "analysis/compare/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/error.h"
#include "stats/rank_correlation.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

// Times by configuration; pruned ones have no time, and are ranked behind all that have.
struct Times {
  std::map<std::string, double> timed;
  std::set<std::string> pruned, tied;
};

Times times_of(const Leaderboard& board) {
  Times times;
  for (const LeaderboardEntry& entry : board.entries) {
    times.timed[entry.row.trial.configuration_text] = entry.median_us;
    if (entry.tied_with_best) times.tied.insert(entry.row.trial.configuration_text);
  }
  for (const Database::TrialRow& row : board.untimed)
    if (row.trial.status == Status::kPruned) times.pruned.insert(row.trial.configuration_text);
  return times;
}

std::optional<double> tau_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double tau = kendall_tau_b(x, y);
  return std::isnan(tau) ? std::nullopt : std::optional(tau);
}

void correlate(const std::array<Times, 2>& times, BoardAgreement& out) {
  std::array<std::vector<double>, 2> both, known;
  std::set<std::string> names = times[0].pruned;
  for (const auto& [name, us] : times[0].timed) names.insert(name);
  for (const std::string& name : names) {
    std::array<std::optional<double>, 2> place;
    bool timed = true;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto found = times[i].timed.find(name);
      if (found != times[i].timed.end()) {
        place[i] = found->second;
        continue;
      }
      timed = false;
      if (times[i].pruned.contains(name)) place[i] = std::numeric_limits<double>::infinity();
    }
    if (!place[0] || !place[1]) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      known[i].push_back(*place[i]);
      if (timed) both[i].push_back(*place[i]);
    }
  }
  out.timed_in_both = both[0].size();
  out.tau = tau_of(both[0], both[1]);
  out.known_in_both = known[0].size();
  out.tau_with_pruned = tau_of(known[0], known[1]);
}

WinnerElsewhere elsewhere(const std::string& winner, const Leaderboard& other, const Times& times) {
  const auto found = times.timed.find(winner);
  if (found != times.timed.end()) {
    const double best = other.entries.front().median_us;
    return {WinnerElsewhere::How::kTimed, best > 0 ? found->second / best : 1.0};
  }
  return {times.pruned.contains(winner) ? WinnerElsewhere::How::kPruned
                                        : WinnerElsewhere::How::kNotTimed,
          std::nullopt};
}

BoardAgreement meet(const Leaderboard& first, const Leaderboard& second) {
  const std::array<const Leaderboard*, 2> boards = {&first, &second};
  const std::array<Times, 2> times = {times_of(first), times_of(second)};
  BoardAgreement out;
  out.kernel = first.kernel;
  out.problem_text = first.problem_text;
  out.problem = first.problem;
  for (std::size_t i = 0; i < 2; ++i) {
    out.protocols[i] = boards[i]->protocol;
    out.kinds[i] = time_kind(*boards[i]);
    out.timed[i] = times[i].timed.size();
    out.pruned[i] = times[i].pruned.size();
    out.tied[i] = times[i].tied.size();
    out.winners[i] = boards[i]->entries.front().row.trial.configuration_text;
  }
  for (std::size_t i = 0; i < 2; ++i)
    out.elsewhere[i] = elsewhere(out.winners[i], *boards[1 - i], times[1 - i]);
  correlate(times, out);
  for (const std::string& name : times[0].tied) out.tied_in_both += times[1].tied.count(name);
  out.tie_sets = times[0].tied == times[1].tied ? TieSets::kEqual
                 : out.tied_in_both > 0         ? TieSets::kOverlapping
                                                : TieSets::kDisjoint;
  return out;
}

using BoardKey = std::pair<std::string, Stored<Problem>>;  // kernel, problem
using BoardsByKey = std::map<BoardKey, std::vector<const Leaderboard*>>;

BoardsByKey timed_boards(const Contender& contender) {
  BoardsByKey boards;
  for (const Leaderboard& board : contender.boards)
    if (!board.entries.empty()) boards[{board.kernel, board.problem}].push_back(&board);
  return boards;
}

}  // namespace

std::string_view tie_sets_name(TieSets sets) {
  switch (sets) {
    case TieSets::kEqual:
      return "equal";
    case TieSets::kOverlapping:
      return "overlapping";
    case TieSets::kDisjoint:
      return "disjoint";
  }
  return "unknown";
}

Agreement agree(Contender first, Contender second) {
  Agreement agreement{{std::move(first), std::move(second)}, {}, {}};
  const std::array<BoardsByKey, 2> boards = {timed_boards(agreement.contenders[0]),
                                             timed_boards(agreement.contenders[1])};
  std::set<const Leaderboard*> met;
  // Follows the order of the first contender's boards, which is that of make_leaderboards().
  for (const Leaderboard& board : agreement.contenders[0].boards) {
    const BoardKey key{board.kernel, board.problem};
    const auto others = boards[1].find(key);
    if (board.entries.empty() || others == boards[1].end()) continue;
    const std::vector<const Leaderboard*>& mine = boards[0].at(key);
    const auto same_protocol = [](const std::vector<const Leaderboard*>& in,
                                  const Leaderboard& of) {
      const auto at = std::find_if(in.begin(), in.end(), [&](const Leaderboard* other) {
        return other->protocol == of.protocol;
      });
      return at == in.end() ? nullptr : *at;
    };
    const Leaderboard* other = same_protocol(others->second, board);
    const bool share = std::any_of(mine.begin(), mine.end(), [&](const Leaderboard* one) {
      return same_protocol(others->second, *one) != nullptr;
    });
    if (other == nullptr && !share && &board == mine.back()) other = others->second.back();
    if (other == nullptr) continue;
    agreement.boards.push_back(meet(board, *other));
    met.insert({&board, other});
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Leaderboard& board : agreement.contenders[i].boards)
      if (!board.entries.empty() && !met.contains(&board))
        agreement.alone.push_back({i, board.kernel, board.problem_text, board.protocol});
  }
  return agreement;
}

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
