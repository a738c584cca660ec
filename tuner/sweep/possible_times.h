// A sweep accepts no time that is beyond what the device can do (metrics/peaks.h), by the ceilings
// that the database held when the sweep began, else by the driver's figures. A trial with such a
// time is `impossible`: its time is not reported to any search, and it cannot win.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/peaks.h"
#include "store/database.h"
#include "sweep/ranking_stage.h"
#include "sweep/sweep_plan.h"
#include "trial/launch/outcome.h"

namespace warpwright {

class PossibleTimes {
 public:
  // The plan must outlive this.
  PossibleTimes(const SweepPlan& plan, const Database& database);

  // Returns why a trial, stored or not, cannot have taken its recorded time on this device of the
  // plan; nullopt when it can.
  [[nodiscard]] std::optional<FailureReason> refusal(const TrialRecord& trial,
                                                     std::size_t device) const;

  // Gives an outcome or a trial that is ok and has such a time the status `impossible` and the
  // reason. It keeps its time.
  void judge(const Configuration& configuration, const Problem& problem, std::size_t device,
             Outcome& outcome) const;
  void judge(TrialRecord& trial, std::size_t device) const;
  // Does the same for a final ranking, by the time of every finalist in its rounds and by the
  // winner's headline.
  void judge(const RankingTask& task, Outcome& outcome) const;

 private:
  [[nodiscard]] std::optional<FailureReason> refusal(const Configuration& configuration,
                                                     const Problem& problem, std::size_t device,
                                                     double us) const;

  const SweepPlan& plan_;
  std::vector<Peaks> peaks_;  // by device of the plan; empty for the harness's own kernels
};

// The following functions judge results of the plan's kernel on any device of a database.
[[nodiscard]] PeaksByDevice peaks_of(const SweepPlan& plan, const Database& database);
[[nodiscard]] bool has_impossible_time(const Database::TrialRow& row, const PeaksByDevice& peaks);

}  // namespace warpwright
