// Sends the trials and rankings of boards to their devices, each with the limits that follow from
// the board's best time, and keeps how long every board has been measured. A final ranking may take
// a share of that time.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>

#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/sweep_workers.h"
#include "sweep/task_table.h"
#include "sweep/trial_source.h"

namespace warpwright {

class BoardMeasurer {
 public:
  // All arguments must outlive this.
  BoardMeasurer(const SweepPlan& plan, const TrialSource& source, SweepWorkers& workers,
                SweepHost& host)
      : plan_(plan), source_(source), workers_(workers), host_(host) {}

  void measure(TaskTable::Id id, const TrialTask& task);
  void measure(TaskTable::Id id, const RankingTask& task);

  // The board yields its devices until its next request.
  void pause(std::size_t board);
  // Adds the time that one of its trials took on a device.
  void add_trial(std::size_t board, double seconds) { trials_s_[board] += seconds; }

  // Returns how long the rounds of the board's final ranking may last; nullopt if nothing was
  // measured.
  [[nodiscard]] std::optional<std::chrono::milliseconds> ranking_time(std::size_t board) const;

 private:
  using Clock = SweepHost::Clock;
  void submit(TaskTable::Id id, std::size_t board, const std::shared_ptr<MeasureRequest>& request,
              std::optional<std::size_t> device);

  const SweepPlan& plan_;
  const TrialSource& source_;
  SweepWorkers& workers_;
  SweepHost& host_;
  std::map<std::size_t, Clock::time_point> since_;  // by board
  std::map<std::size_t, Clock::duration> before_;   // the same, of past visits
  std::map<std::size_t, double> trials_s_;          // by board: its trials on all GPUs
};

}  // namespace warpwright
