#include "analysis/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/compare/contender.h"
#include "core/words.h"

namespace warpwright {
namespace {

using Boards = std::vector<const Leaderboard*>;  // by contender; null where there is none

struct ComparedProblem {
  std::string kernel, text;
  Stored<Problem> sizes;
  std::vector<Boards> candidates;  // by contender: one board per protocol
};

// The last timed trial of a board; 0 if there is none.
RowId last_timed(const Leaderboard& board) {
  RowId last = 0;
  for (const LeaderboardEntry& entry : board.entries) last = std::max(last, entry.row.trial.id);
  return last;
}

// Collects the compared problems in order of kernel, then of problem.
std::vector<ComparedProblem> collect_problems(const std::vector<Contender>& contenders) {
  std::vector<ComparedProblem> problems;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    for (const Leaderboard& board : contenders[i].boards) {
      const auto [it, fresh] =
          known.try_emplace({board.kernel, board.problem_text}, problems.size());
      if (fresh) {
        problems.push_back({board.kernel, board.problem_text, board.problem, {}});
        problems.back().candidates.resize(contenders.size());
      }
      problems[it->second].candidates[i].push_back(&board);
    }
  }
  std::sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
    return a.kernel != b.kernel ? a.kernel < b.kernel : natural_before(a.text, b.text);
  });
  return problems;
}

// Counts the contenders that have times under each protocol.
std::map<std::string, std::size_t> protocol_votes(const std::vector<Boards>& candidates) {
  std::map<std::string, std::size_t> votes;
  for (const Boards& boards : candidates)
    for (const Leaderboard* board : boards)
      if (!board->entries.empty()) ++votes[board->protocol];
  return votes;
}

Boards choose_boards(const std::vector<Boards>& candidates) {
  const std::map<std::string, std::size_t> votes = protocol_votes(candidates);
  const auto weight = [&](const Leaderboard* board) {
    const auto it = votes.find(board->protocol);
    return std::tuple(board->entries.empty() || it == votes.end() ? 0 : it->second,
                      last_timed(*board));
  };
  Boards chosen;
  for (const Boards& boards : candidates) {
    const auto best =
        std::max_element(boards.begin(), boards.end(),
                         [&](const auto* a, const auto* b) { return weight(a) < weight(b); });
    chosen.push_back(best == boards.end() ? nullptr : *best);
  }
  return chosen;
}

ProblemBest best_of(const Leaderboard* board) {
  ProblemBest best;
  if (board == nullptr) return best;
  best.tried = true;
  best.kind = time_kind(*board);
  best.protocol = board->protocol;
  best.ranked = board->entries.size();
  best.trials = board->trials;
  best.final_ranking = board->ranking.has_value();
  if (board->entries.empty()) return best;
  best.entry = board->entries.front();
  const auto tied = std::count_if(board->entries.begin(), board->entries.end(),
                                  [](const auto& entry) { return entry.tied_with_best; });
  best.ties = static_cast<std::size_t>(tied) - 1;
  return best;
}

// A number and the known bounds of its error.
struct Estimate {
  double value = 0;
  std::optional<double> low, high;
  bool exact = false;  // a model's: equal inputs give equal numbers
};

bool usable(double value) { return std::isfinite(value) && value > 0; }

// Computes above / below with its interval and the resulting verdict.
ComparedRatio divide(const Estimate& above, const Estimate& below) {
  ComparedRatio speedup;
  if (!usable(above.value) || !usable(below.value)) {
    speedup.why = "a time that is not above 0";
    return speedup;
  }
  const double ratio = above.value / below.value;
  speedup.ratio = ratio;
  if (above.exact && below.exact) {
    speedup.verdict = ratio > 1   ? Verdict::kFaster
                      : ratio < 1 ? Verdict::kSlower
                                  : Verdict::kNoDifference;
    return speedup;
  }
  speedup.verdict = Verdict::kNotJudged;
  const auto complete = [](const Estimate& of) {
    return of.low && of.high && usable(*of.low) && usable(*of.high);
  };
  if (!complete(above) || !complete(below)) return speedup;
  speedup.low = *above.low / *below.high;
  speedup.high = *above.high / *below.low;
  speedup.verdict = *speedup.low > 1    ? Verdict::kFaster
                    : *speedup.high < 1 ? Verdict::kSlower
                                        : Verdict::kNoDifference;
  return speedup;
}

Estimate estimate_of(const LeaderboardEntry& entry, TimeKind kind) {
  return {entry.median_us, entry.ci_low_us, entry.ci_high_us, kind == TimeKind::kModelled};
}

bool alike(const ProblemBest& a, const ProblemBest& b) {
  return a.entry && b.entry && a.kind == b.kind && a.protocol == b.protocol;
}

// The reason why a contender that is not comparable with any before it has no ratio.
std::string why_alone(const ProblemBest& first, const ProblemBest& other) {
  if (!other.entry) return other.tried ? "no time" : "not tried";
  if (!first.entry) return first.tried ? "the first has no time" : "the first has not tried it";
  if (first.kind != other.kind) {
    return fmt::format("{}, the first is {}", time_kind_name(other.kind),
                       time_kind_name(first.kind));
  }
  return fmt::format("protocol {}, the first has {}", other.protocol, first.protocol);
}

ComparedRatio speedup_of(const std::vector<ProblemBest>& bests, std::size_t contender) {
  const ProblemBest& best = bests[contender];
  for (std::size_t i = 0; i < contender; ++i) {
    if (!alike(bests[i], best)) continue;
    ComparedRatio speedup =
        divide(estimate_of(*bests[i].entry, best.kind), estimate_of(*best.entry, best.kind));
    if (speedup.ratio) speedup.against = i;
    return speedup;
  }
  ComparedRatio none;
  none.why = why_alone(bests.front(), best);
  return none;
}

ProblemComparison compare_problem(const ComparedProblem& problem, const Boards& boards) {
  ProblemComparison comparison;
  comparison.kernel = problem.kernel;
  comparison.problem_text = problem.text;
  comparison.problem = problem.sizes;
  for (const Leaderboard* board : boards) comparison.best.push_back(best_of(board));
  for (std::size_t i = 0; i < boards.size(); ++i) {
    ProblemBest& best = comparison.best[i];
    if (i == 0) {
      best.speedup.verdict = Verdict::kFirst;
    } else {
      best.speedup = speedup_of(comparison.best, i);
    }
  }
  comparison.transfer = transfer_matrix(boards);
  comparison.portability = portability(boards);
  return comparison;
}

TransferSummary summarise_transfer(const std::vector<ProblemComparison>& problems, std::size_t of,
                                   std::size_t on) {
  TransferSummary summary;
  summary.of = of;
  summary.on = on;
  double logarithms = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!problems[i].best[of].entry || !problems[i].best[on].entry) continue;
    ++summary.problems;
    const Reached& reached = problems[i].transfer[of][on].reached;
    switch (reached.how) {
      case Reached::How::kTimed:
        logarithms += std::log(*reached.fraction);
        if (summary.timed++ == 0 || *reached.fraction < summary.worst) {
          summary.worst = *reached.fraction;
          summary.worst_problem = i;
        }
        break;
      case Reached::How::kPruned:
        ++summary.stopped;
        break;
      case Reached::How::kFailed:
        ++summary.failed;
        break;
      case Reached::How::kUntimed:
      case Reached::How::kNotTried:
        ++summary.unknown;
        break;
    }
  }
  if (summary.timed > 0)
    summary.geometric_mean = std::exp(logarithms / static_cast<double>(summary.timed));
  return summary;
}

std::vector<TransferSummary> summarise_transfers(const std::vector<ProblemComparison>& problems,
                                                 std::size_t contenders) {
  std::vector<TransferSummary> all;
  for (std::size_t of = 0; of < contenders; ++of) {
    for (std::size_t on = 0; on < contenders; ++on) {
      if (of == on) continue;
      const TransferSummary summary = summarise_transfer(problems, of, on);
      if (summary.problems > 0) all.push_back(summary);
    }
  }
  return all;
}

PortabilitySummary summarise_portability(const std::vector<ProblemComparison>& problems) {
  PortabilitySummary summary;
  double sum = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const PortableConfiguration* best = problems[i].portability.best();
    if (best == nullptr || problems[i].portability.platforms.size() < 2) continue;
    sum += best->value;
    if (summary.problems++ == 0 || best->value < summary.worst) {
      summary.worst = best->value;
      summary.worst_problem = i;
    }
  }
  if (summary.problems > 0) summary.mean = sum / static_cast<double>(summary.problems);
  return summary;
}

std::vector<Tally> count_verdicts(const std::vector<ProblemComparison>& problems) {
  std::map<std::pair<std::size_t, std::size_t>, Tally> tallies;
  std::map<std::pair<std::size_t, std::size_t>, double> logarithms;
  for (const ProblemComparison& problem : problems) {
    for (std::size_t i = 0; i < problem.best.size(); ++i) {
      const ComparedRatio& speedup = problem.best[i].speedup;
      if (!speedup.against) continue;
      const std::pair pair(i, *speedup.against);
      Tally& tally = tallies[pair];
      ++tally.compared;
      tally.faster += speedup.verdict == Verdict::kFaster;
      tally.slower += speedup.verdict == Verdict::kSlower;
      tally.no_difference += speedup.verdict == Verdict::kNoDifference;
      tally.not_judged += speedup.verdict == Verdict::kNotJudged;
      logarithms[pair] += std::log(*speedup.ratio);
    }
  }
  std::vector<Tally> all;
  for (auto& [pair, tally] : tallies) {
    std::tie(tally.contender, tally.against) = pair;
    tally.geometric_mean = std::exp(logarithms[pair] / static_cast<double>(tally.compared));
    all.push_back(tally);
  }
  return all;
}

ComparedRatio ceiling_ratio(const std::optional<CeilingRecord>& first,
                            const std::optional<CeilingRecord>& other) {
  ComparedRatio none;
  if (!other) {
    none.why = "not measured";
  } else if (!first) {
    none.why = "the first has not measured it";
  } else if (first->unit != other->unit) {
    none.why = fmt::format("in {}, the first in {}", other->unit, first->unit);
  } else if (first->protocol != other->protocol) {
    none.why = fmt::format("protocol {}, the first has {}", other->protocol, first->protocol);
  } else {
    return divide({other->value, other->ci_low, other->ci_high},
                  {first->value, first->ci_low, first->ci_high});
  }
  return none;
}

std::vector<CeilingComparison> compare_ceilings(const std::vector<Contender>& contenders) {
  std::map<std::string, CeilingComparison> rows;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    for (const CeilingRecord& ceiling : contenders[i].ceilings) {
      CeilingComparison& row = rows[ceiling.name];
      row.name = ceiling.name;
      if (row.unit.empty()) row.unit = ceiling.unit;
      row.values.resize(contenders.size());
      row.values[i] = ceiling;
    }
  }
  std::vector<CeilingComparison> all;
  for (auto& [name, row] : rows) {
    row.ratios.resize(contenders.size());
    row.ratios.front().verdict = Verdict::kFirst;
    for (std::size_t i = 1; i < contenders.size(); ++i)
      row.ratios[i] = ceiling_ratio(row.values.front(), row.values[i]);
    all.push_back(std::move(row));
  }
  return all;
}

bool share_a_device(const Contender& a, const Contender& b) {
  return std::any_of(a.devices.begin(), a.devices.end(), [&](const ContenderDevice& one) {
    return std::any_of(b.devices.begin(), b.devices.end(),
                       [&](const ContenderDevice& other) { return one.id == other.id; });
  });
}

bool same_machine(const std::vector<Contender>& contenders) {
  return std::all_of(contenders.begin(), contenders.end(), [&](const Contender& other) {
    const Contender& first = contenders.front();
    return other.device_name == first.device_name && share_a_device(first, other) &&
           other.device_arch == first.device_arch && other.modelled == first.modelled;
  });
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFirst:
      return "first";
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kNoDifference:
      return "no difference shown";
    case Verdict::kNotJudged:
      return "not judged";
    case Verdict::kNotCompared:
      return "not compared";
  }
  return "unknown";
}

std::vector<std::size_t> who_tried(const ProblemComparison& problem) {
  std::vector<std::size_t> who;
  for (std::size_t i = 0; i < problem.best.size(); ++i)
    if (problem.best[i].tried) who.push_back(i);
  return who;
}

std::vector<std::size_t> who_has_time(const ProblemComparison& problem) {
  std::vector<std::size_t> who;
  for (std::size_t i = 0; i < problem.best.size(); ++i)
    if (problem.best[i].entry) who.push_back(i);
  return who;
}

Comparison compare(std::vector<Contender> contenders, const ComparisonOptions& options) {
  Comparison comparison;
  std::map<std::string, Boards> by_kernel;
  std::vector<Boards> chosen;
  for (const ComparedProblem& problem : collect_problems(contenders)) {
    const Boards boards = choose_boards(problem.candidates);
    comparison.problems.push_back(compare_problem(problem, boards));
    Boards& all = by_kernel[problem.kernel];
    all.insert(all.end(), boards.begin(), boards.end());
    chosen.push_back(boards);
  }
  comparison.tallies = count_verdicts(comparison.problems);
  comparison.transfers = summarise_transfers(comparison.problems, contenders.size());
  comparison.portability = summarise_portability(comparison.problems);
  for (const auto& [kernel, boards] : by_kernel) {
    CoveringPortfolio portfolio = smallest_portfolio(boards, options.within);
    if (portfolio.places > 0) comparison.portfolios.push_back(std::move(portfolio));
  }
  comparison.ceilings = compare_ceilings(contenders);
  comparison.differences = contender_differences(contenders, chosen);
  comparison.one_device = !contenders.empty() && same_machine(contenders);
  comparison.contenders = std::move(contenders);
  return comparison;
}

}  // namespace warpwright
