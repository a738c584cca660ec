// The final rankings of a sweep: decides which boards need one, selects the configurations that
// enter it, builds the request to the device, and stores the result. A board is ranked when its
// last trial is finished, on a device with a clock, by the same worker. When several GPUs share the
// board, the best configurations of each GPU are first timed on the first GPU, which then ranks
// those that it has timed itself.
//
// --rank-only: a sweep, on one GPU, of the configurations that several GPUs of its kind found to be
// the best. Times of different GPUs are never compared; their finalists meet here. The finalists
// that this GPU has timed itself are taken from the database; the others are validated and timed
// first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "records/records.h"
#include "store/database.h"
#include "sweep/run_records.h"
#include "sweep/sweep.h"
#include "sweep/sweep_plan.h"
#include "trial/timing/finals.h"
#include "workers/measure_request.h"

namespace warpwright {

// A configuration of the board that was validated and timed.
struct RankingCandidate {
  std::uint64_t index = 0;  // in the board's space
  RowId trial = 0;
  double median_us = 0;
  std::string cubin_hash;
  int sm_clock_mhz = 0;      // at that time's measurement; 0 if unknown
  int clock_during_mhz = 0;  // derived from its samples (Validity); 0 if underivable
};

inline constexpr double kFinalistMargin = 0.05;
// The margin for kernels long enough for their samples to reveal the clock: turns are expensive,
// and times that were taken at one clock lie that close to those of the ranking.
inline constexpr double kDerivedClockMargin = 0.025;
// The clocks derived from launches of one kernel differ by less than this.
inline constexpr double kDerivedClockTolerance = 0.05;
inline constexpr std::size_t kMinFinalists = 4;
inline constexpr std::size_t kMaxFinalists = 16;
inline constexpr std::size_t kMaxByCycles = 8;

// Returns the candidates within the margin of the best, fastest first: at least kMinFinalists if
// there are that many, at most kMaxFinalists. Up to a total of kMaxByCycles, they are joined by
// candidates that would be as close if they took the same number of cycles at a higher clock. That
// clock is the one of the good candidates where the samples reveal clocks, and otherwise the
// highest that the driver reported. Under a power cap, clocks differ by a tenth and more. Equal
// times are ordered by index. Returns nothing when there is only one candidate, since there is
// nothing to rank.
[[nodiscard]] std::vector<RankingCandidate> pick_finalists(
    std::vector<RankingCandidate> candidates);

// `finalists` must be in the same order as the finalists of `outcome`.
[[nodiscard]] RankingRecord make_ranking_record(const std::string& kernel, const SweepBoard& board,
                                                const std::vector<RankingCandidate>& finalists,
                                                const FinalsOutcome& outcome,
                                                const std::string& started_utc);

// A final ranking in progress; it is also a task of its board.
struct RankingTask {
  std::size_t board = 0;
  std::string started_utc;
  std::vector<RankingCandidate> finalists;
  // Holds FinalistsToRank, in the order of `finalists`.
  std::shared_ptr<MeasureRequest> request = std::make_shared<MeasureRequest>();

  [[nodiscard]] FinalistsToRank& asked() const { return std::get<FinalistsToRank>(request->what); }
};

class RankingStage {
 public:
  RankingStage(const SweepPlan& plan, RunRecords& records) : plan_(plan), records_(records) {}

  // Records a stored trial of the board on a device of the plan. The newest trial of an index
  // counts, unless it is noisy.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial, std::size_t device);
  // The same on the board's own device.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial) {
    note(board, index, trial, plan_.boards[board].device);
  }

  // Removes a configuration that must not win.
  void drop(std::size_t board, std::uint64_t index);

  // Returns the configurations that other GPUs found to be among the best and that the board's own
  // device has not timed: at most as many as a ranking takes, ordered by the shortest time on any
  // GPU.
  [[nodiscard]] std::vector<std::uint64_t> guests(std::size_t board) const;

  // Returns the ranking of this board, with nothing compiled yet; nullopt when there is nothing to
  // rank: fewer than two candidates, or the same finalists were ranked before.
  [[nodiscard]] std::optional<RankingTask> begin(std::size_t board) const;
  // Returns the space index of the winner of the newest stored ranking, if it is among the
  // candidates.
  [[nodiscard]] std::optional<std::uint64_t> incumbent(std::size_t board) const;
  // Returns the compile jobs that it needs, in the order of its finalists.
  [[nodiscard]] std::vector<CompileJob> jobs(const RankingTask& task) const;
  // Stores the device's answer. Returns "", or a message when the device did not rank them: the
  // trials then keep their results, but their order is less certain.
  [[nodiscard]] std::string end(const RankingTask& task, const Outcome& outcome);

 private:
  using Candidates = std::map<std::uint64_t, RankingCandidate>;  // by index
  [[nodiscard]] std::vector<RankingCandidate> finalists(std::size_t board) const;
  // The candidates of the board's own device; null when there are none.
  [[nodiscard]] const Candidates* own(std::size_t board) const;

  const SweepPlan& plan_;
  RunRecords& records_;
  // By board, then by device.
  std::map<std::size_t, std::map<std::size_t, Candidates>> candidates_;
};

// Throws Error (user) on a device without a clock, and when the database does not exist. Must be
// called before the database is opened, which would create it.
void require_rankable(const SweepPlan& plan, const std::filesystem::path& database);

// Restricts every board to the finalists of each GPU with its device's name and architecture that
// `database` holds for the current sources of the kernel. Throws Error (user) on a board without
// results.
void keep_finalists(SweepPlan& plan, Database& database);

}  // namespace warpwright
