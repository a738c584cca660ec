// Carries out the final rankings of boards: compiles the finalists, has a device time them against
// each other, and stores the result (ranking_stage.h decides who they are).
#pragma once

#include <cstddef>

#include "sweep/board_measurer.h"
#include "sweep/possible_times.h"
#include "sweep/ranking_stage.h"
#include "sweep/sweep_plan.h"
#include "sweep/sweep_workers.h"
#include "sweep/task_table.h"
#include "terminal/progress.h"

namespace warpwright {

class FinalRankings {
 public:
  // All arguments must outlive this.
  FinalRankings(const SweepPlan& plan, RunRecords& records, const PossibleTimes& possible,
                TaskTable& tasks, SweepWorkers& workers, BoardMeasurer& measurer,
                Progress& progress)
      : plan_(plan),
        possible_(possible),
        stage_(plan, records),
        tasks_(tasks),
        workers_(workers),
        measurer_(measurer),
        progress_(progress) {}

  // The candidates, which every result may change.
  [[nodiscard]] RankingStage& stage() { return stage_; }

  // Begins the board's ranking and returns the number of finalists; 0 when there is nothing to
  // rank.
  [[nodiscard]] std::size_t start(std::size_t board);
  // All finalists of the ranking are compiled.
  void compiled(TaskTable::Id id);
  // A device has answered.
  void ended(TaskTable::Id id, Outcome outcome);

  [[nodiscard]] std::size_t made() const { return made_; }
  [[nodiscard]] double seconds() const { return seconds_; }  // spent on rankings

 private:
  const SweepPlan& plan_;
  const PossibleTimes& possible_;
  RankingStage stage_;
  TaskTable& tasks_;
  SweepWorkers& workers_;
  BoardMeasurer& measurer_;
  Progress& progress_;
  std::size_t made_ = 0;
  double seconds_ = 0;
};

}  // namespace warpwright
