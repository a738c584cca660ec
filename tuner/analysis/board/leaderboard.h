// Ranks the trials of each (kernel, problem, device, protocol): best first, ties marked, failures
// grouped by cause, pruned and noisy trials listed apart. Measured and modelled times never meet in
// one board: a board belongs to one device, and a device has a clock or not. The same holds for
// times of two protocols (say cold and hot), and for our own times and imported ones, which have
// devices of their own. The views of store/schema.cpp rank by the same rules (tests/analysis/
// views_test.cpp); what a status means for them is records/status.h's.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/board_goals.h"
#include "analysis/board/roofline.h"
#include "analysis/failures/constraint_hint.h"
#include "metrics/peaks.h"
#include "store/database.h"

namespace warpwright {

// The gain of tuning: the best configuration against another of its board, such as the one that
// would have run without tuning.
struct Speedup {
  double factor = 1;          // the other's time / the best's
  bool at_least = false;      // the other was stopped early: the factor is a lower bound
  std::string configuration;  // the other's text
  RowId trial = 0;            // its trial
};

struct LeaderboardEntry;

// `entries` are in order, the best first; `untimed` are the board's other trials that count. The
// speed-up over the defaults that the contract gives the best's variant: nullopt when they are not
// known, were not tried, or failed.
[[nodiscard]] std::optional<Speedup> speedup_over_default(
    const std::vector<LeaderboardEntry>& entries,
    const std::vector<const Database::TrialRow*>& untimed);
// The speed-up over the best of the variant that the contract names as its baseline. Pruned
// configurations of it make this a lower bound if they might be its best.
[[nodiscard]] std::optional<Speedup> speedup_over_baseline(
    const std::vector<LeaderboardEntry>& entries,
    const std::vector<const Database::TrialRow*>& untimed);

struct LeaderboardEntry {
  int rank = 0;                 // 1 is best; tied entries keep their own rank
  bool tied_with_best = false;  // see make_leaderboards(); always true for rank 1
  // The time as shown: a finalist's comes from the final ranking, any other's from its trial.
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  // Set for the finalists of a ranked board; its other entries were only screened.
  std::optional<RankingEntryRecord> finalist;
  double speed_vs_best = 0;  // best / this: 1 is the best, 0.5 takes twice as long
  double speedup_over_slowest_variant_best = 0;  // best of the slowest variant / this
  Database::TrialRow row;
  std::string version;  // "V4" if the configuration is a named version; set by VersionNames
  std::optional<double> gigabytes_per_second;  // contract bytes / median
  std::optional<double> gigaflops_per_second;
  std::optional<LimitShare> limit_share;  // set by add_limits()
  // Values for the board's goal, in its order; empty without a goal.
  std::vector<MetricValue> objectives, metrics;
  bool on_front = false;  // several objectives: no other entry is better in one and as good in all
};

// Advice on a group of failures.
struct FailureAdvice {
  // Constraints for the sweep, to be added together; empty if nothing can be proposed.
  std::vector<ConstraintHint> constraints;
  std::size_t failures = 0;  // of this cause, over all problems
  std::size_t excluded = 0;  // of those, excluded by any of the constraints
  std::size_t kept = 0;      // configurations that ran right, over all problems: all are kept
  std::size_t problems = 0;
  // A property that sets the failures apart but that no constraint can express, else the reason why
  // there is no constraint; may be empty.
  std::string note;
};

// Failures that share a `status` and a `cause`.
struct FailureGroup {
  Status status{};
  std::string cause;    // failure_cause() of the reason; equal causes share a group
  std::string example;  // one full reason
  std::string example_configuration;
  RowId example_trial = 0;
  std::size_t count = 0;
  std::vector<RowId> trials = {};  // in order of configuration
  FailureAdvice advice = {};       // set by advise_on_failures()
};

struct Leaderboard {
  std::string kernel;
  std::string problem_text;
  Stored<Problem> problem;
  std::string device_id, device_name, device_driver, device_fingerprint;
  bool modelled = false;
  // The files that the trials of an imported board came from: none of its times were measured by
  // this program. nullopt for our own boards.
  std::optional<std::string> imported;
  // The goal that orders the board, if that is more than a short time; nullptr otherwise.
  std::shared_ptr<const BoardGoal> goal;
  std::string protocol;                   // of the times; empty when nothing was timed
  std::string contract_hash;              // of the best entry; each entry's own is in its row
  std::vector<LeaderboardEntry> entries;  // status ok, in the order of make_leaderboards()
  std::vector<FailureGroup> failures;     // largest first
  // The other trials that count, in order of configuration: failed, pruned, noisy, or not timed.
  std::vector<Database::TrialRow> untimed;
  std::size_t trials = 0;  // configurations that count: entries, failures, pruned and noisy ones
  std::size_t pruned = 0;
  std::optional<double> pruned_at_least_us;  // the smallest bound of those
  std::size_t noisy = 0;
  std::optional<RankingRecord> ranking;  // the final ranking that orders this board
  Headline headline;                     // of its winner
  std::string lapsed_ranking;  // why the newest final ranking does not apply; "" otherwise
  std::size_t stale = 0;       // trials of a variant's older sources, where newer ones were tried
  std::size_t outdated = 0;    // entries whose variant has newer sources on another board
  std::optional<Speedup> over_default, over_baseline;  // of the best
  std::vector<ContractRemark> contract_remarks;        // set by add_contract_remarks()
  // Set by add_limits(), analysis/board/board_additions.h: of the best entry's work.
  Work work;
  std::optional<Limit> limit;
  std::string missing_ceiling;  // needed for the limit but not known of the device
  std::optional<double> datasheet_gb_per_s;
};

// Boards in order of kernel, problem, device, protocol. Within a board
// - the sources of a variant that were swept last count, and trials of its older ones are stale;
// - if a configuration has several trials (other seeds), the newest counts, but a configuration
//   that was ever found wrong, nondeterministic or hazardous stays a failure: one seed's proof of a
//   fault is not undone by another's luck;
// - a noisy trial, or one that was not compiled, counts only where its configuration has no other;
// - entries are ordered by median, then configuration; a measured time ties with the best when
//   their intervals overlap, a modelled one when it is equal;
// - the newest final ranking of the board overrides that: its finalists come first in their places,
//   with its times and the ties its tests found. It applies while every finalist is an entry and no
//   entry that is newer than the ranking may beat the winner (its interval begins below the end of
//   the winner's), and no older one that a narrower sweep could not choose is clearly faster;
// - a goal (analysis/board/board_goals.h) may ask for more than a short time: a trial that breaks a
//   requirement is not an entry but a failure of status `violates`, with its time. If the objective
//   is not the time, entries are ordered by its value and tie if the values or their intervals
//   meet; no final ranking applies, since those compare times. With several objectives, the front
//   comes first, its fastest at the top, all of it tied with the best; then the others by time.
//   Entries without a value come last;
// - trials that failed before a protocol applied belong to the board of the protocol used last;
// - a time beyond what its device can do (`peaks`; analysis/board/impossible.h) is not an entry,
// but
//   a failure of status `impossible`; a final ranking with one does not apply.
[[nodiscard]] std::vector<Leaderboard> make_leaderboards(
    const std::vector<Database::TrialRow>& rows,
    const std::vector<Database::RankingRow>& rankings = {}, const BoardGoals& goals = {},
    const PeaksByDevice& peaks = {});

// Computes the objectives and metrics of an entry from its trial and the time that it is shown
// with. The board must have a goal.
void evaluate_goal(const BoardGoal& goal, LeaderboardEntry& entry);
// The entries on the front of several objectives; empty with fewer than two.
[[nodiscard]] std::vector<const LeaderboardEntry*> front_of(const Leaderboard& board);

}  // namespace warpwright
