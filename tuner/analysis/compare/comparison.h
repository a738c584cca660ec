// Sets contenders side by side: speed-ups with a verdict, what each one's best configuration costs
// the others, performance portability, the smallest portfolio of configurations, and what changed
// around them. Two rules keep the numbers honest:
// - a speed-up is given only between times of one kind and one protocol; measured, imported and
//   modelled times are never divided by each other. A contender that cannot be compared with the
//   first is compared with the first one that it can be;
// - a fraction of best divides two times of ONE contender, so it may be shown next to another
//   contender's whatever the kinds.
// All members per contender are indexed like `contenders`. Times are in microseconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/contender.h"
#include "analysis/compare/covering_portfolio.h"
#include "analysis/compare/transfer.h"

namespace warpwright {

enum class Verdict {
  kFirst,         // the first contender itself
  kFaster,        // the whole interval of the speed-up lies above 1; a model's is one number
  kSlower,        // it lies below 1
  kNoDifference,  // it contains 1
  kNotJudged,     // there is a ratio, but a time has no interval
  kNotCompared,   // there is no ratio; `why` says why not
};
[[nodiscard]] std::string_view verdict_name(Verdict verdict);  // "no difference shown", ...

// Time of the contender that this one is set against / time of this one: above 1 is faster.
struct ComparedRatio {
  Verdict verdict = Verdict::kNotCompared;
  std::optional<std::size_t> against;  // set where there is a ratio
  std::optional<double> ratio, low, high;
  std::string why = "";  // of kNotCompared: "modelled, the first is measured", "not tried"
};

// The result of one contender on one problem.
struct ProblemBest {
  bool tried = false;
  TimeKind kind{};
  std::string protocol = "";
  // The best entry of its leaderboard; none when nothing passed (or nothing was timed).
  std::optional<LeaderboardEntry> entry = std::nullopt;
  std::size_t ties = 0;  // further configurations that tie with it
  bool final_ranking = false;
  std::size_t ranked = 0, trials = 0;  // configurations with a time, and all of them
  ComparedRatio speedup = {};
};

struct ProblemComparison {
  std::string kernel, problem_text;
  Stored<Problem> problem;
  std::vector<ProblemBest> best;
  // [of][on]: what the best configuration of contender `of` reaches on contender `on`.
  std::vector<std::vector<TransferCell>> transfer;
  Portability portability;
};

// The speed that the best configurations of contender `of` reach on contender `on`, over the
// problems that both have a time for.
struct TransferSummary {
  std::size_t of = 0, on = 0;
  std::size_t problems = 0;
  std::size_t timed = 0;          // of these, those where the best configuration was timed on `on`
  std::size_t stopped = 0;        // pruned there: only a bound is known
  std::size_t failed = 0;         // it does not run there, or is wrong
  std::size_t unknown = 0;        // not tried there, or without a time
  double geometric_mean = 1;      // of the fractions of the best that the timed ones reach
  double worst = 1;               // the smallest of these, on
  std::size_t worst_problem = 0;  // the problem with this index
};

// The performance portability of the most portable configuration of each problem, over the problems
// that several contenders tried and where one is known.
struct PortabilitySummary {
  std::size_t problems = 0;
  double mean = 0, worst = 0;
  std::size_t worst_problem = 0;
};

// One contender against another, over the problems on which the two are compared.
struct Tally {
  std::size_t contender = 0, against = 0;
  std::size_t compared = 0, faster = 0, slower = 0, no_difference = 0, not_judged = 0;
  double geometric_mean = 1;  // of the speed-ups
};

struct CeilingComparison {
  std::string name, unit;
  std::vector<std::optional<CeilingRecord>> values;
  std::vector<ComparedRatio> ratios;  // value / the first's: above 1 is more
};

struct Comparison {
  std::vector<Contender> contenders;
  std::vector<ProblemComparison> problems;  // in order of kernel and problem
  std::vector<Tally> tallies;               // in order of contender, then of the other
  std::vector<TransferSummary> transfers;   // of every pair with problems that both have a time for
  PortabilitySummary portability;
  std::vector<CoveringPortfolio> portfolios;  // one per kernel with anything timed
  std::vector<CeilingComparison> ceilings;
  std::vector<ContenderDifference> differences;
  bool one_device = false;  // all contenders are one machine: a regression check, not a race
};

struct ComparisonOptions {
  double within = 0.05;  // of a portfolio: each best is reached up to this fraction of its time
};

// The contenders that tried a problem, and those that have a time for it.
[[nodiscard]] std::vector<std::size_t> who_tried(const ProblemComparison& problem);
[[nodiscard]] std::vector<std::size_t> who_has_time(const ProblemComparison& problem);

// If a contender has times of several protocols for a problem, the protocol that most contenders
// have there is used (if that is not unique, the one timed last).
[[nodiscard]] Comparison compare(std::vector<Contender> contenders,
                                 const ComparisonOptions& options = {});

}  // namespace warpwright
