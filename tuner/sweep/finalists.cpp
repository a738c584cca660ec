#include "sweep/finalists.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/error.h"

namespace warpwright {

namespace {

// Converts the times of the other candidates to the clock of the good ones.
class AtOneClock {
 public:
  // The good candidates are the first `close` ones.
  AtOneClock(const std::vector<RankingCandidate>& candidates, std::size_t close) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      driver_mhz_ = std::max(driver_mhz_, candidates[i].sm_clock_mhz);
      if (i < close) told_mhz_ = std::max(told_mhz_, candidates[i].clock_during_mhz);
    }
  }

  [[nodiscard]] double us(const RankingCandidate& one) const {
    if (one.clock_during_mhz > 0 && told_mhz_ > 0) {
      const double share = 1.0 * one.clock_during_mhz / told_mhz_;
      return share < 1 - kToldTolerance ? one.median_us * share : one.median_us;
    }
    return one.sm_clock_mhz == 0 ? one.median_us : one.median_us * one.sm_clock_mhz / driver_mhz_;
  }

 private:
  int driver_mhz_ = 0;
  int told_mhz_ = 0;
};

}  // namespace

std::vector<RankingCandidate> pick_finalists(std::vector<RankingCandidate> candidates) {
  if (candidates.size() < 2) return {};
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return std::tie(a.median_us, a.index) < std::tie(b.median_us, b.index);
  });
  const RankingCandidate& best = candidates.front();
  const double margin = best.clock_during_mhz > 0 ? kToldMargin : kFinalistMargin;
  const double limit_us = (1 + margin) * best.median_us;
  const auto others = std::find_if(candidates.begin(), candidates.end(),
                                   [&](const auto& one) { return one.median_us > limit_us; });
  auto close = static_cast<std::size_t>(others - candidates.begin());

  const AtOneClock at_one_clock(candidates, close);
  std::stable_sort(others, candidates.end(), [&](const auto& a, const auto& b) {
    return at_one_clock.us(a) < at_one_clock.us(b);
  });
  while (close < std::min(kMostByCycles, candidates.size()) &&
         at_one_clock.us(candidates[close]) <= limit_us)
    ++close;
  candidates.resize(
      std::min(candidates.size(), std::clamp(close, kFewestFinalists, kMostFinalists)));
  return candidates;
}

RankingRecord make_ranking_record(const std::string& kernel, const SweepBoard& board,
                                  const std::vector<RankingCandidate>& finalists,
                                  const FinalsOutcome& outcome, const std::string& started_utc) {
  const std::vector<RankedConfiguration>& ranked = outcome.ranking.configurations;
  WARPWRIGHT_CHECK(ranked.size() == finalists.size(), "every finalist was ranked");
  RankingRecord record;
  record.kernel_name = kernel;
  record.problem = board.problem;
  record.problem_text = board.problem_text;
  record.protocol = outcome.protocol;
  record.rounds = static_cast<int>(outcome.round_us.size());
  record.confidence = RankingOptions{}.family_confidence;
  record.decided_by = outcome.decided_by;
  record.started_utc = started_utc;
  if (outcome.headline) record.headline = *outcome.headline;
  record.winner = finalists[outcome.winner].trial;

  // The winner comes first, then the configurations that tie with it, then the rest; each group by
  // score.
  std::vector<std::size_t> order(finalists.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t i) {
      return std::tuple(i != outcome.winner, !ranked[i].tied, ranked[i].score);
    };
    return key(a) < key(b);
  });
  for (const std::size_t i : order) {
    RankingEntryRecord entry;
    entry.trial = finalists[i].trial;
    entry.place = static_cast<int>(record.entries.size()) + 1;
    entry.tied = ranked[i].tied;
    entry.median_us = ranked[i].median_us;
    entry.ci_low_us = ranked[i].ci_low_us;
    entry.ci_high_us = ranked[i].ci_high_us;
    entry.relative = ranked[i].relative;
    entry.relative_low = ranked[i].relative_low;
    entry.relative_high = ranked[i].relative_high;
    if (i != outcome.ranking.best) entry.p_adjusted = ranked[i].p_adjusted;
    for (const std::vector<double>& round : outcome.round_us) entry.rounds_us.push_back(round[i]);
    record.entries.push_back(std::move(entry));
  }
  return record;
}

}  // namespace warpwright
