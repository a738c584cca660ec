// The consequences of a sweep's goal for single trials: which may win, which are refused before
// they run, what is measured, and whether measuring may end early.
#pragma once

#include <cstddef>
#include <optional>

#include "sweep/sweep_plan.h"
#include "sweep/task_table.h"
#include "trial/launch/outcome.h"

namespace warpwright {

// Returns whether trials may be ended early: nothing that is pruned could win.
[[nodiscard]] bool may_end_trials_early(const SweepOptions& options, const SweepPlan& plan);

// Returns whether the goal uses energy and the board's device and the kernel allow it to be
// counted.
[[nodiscard]] bool counts_energy(const SweepPlan& plan, std::size_t board);

// Returns whether the trial may win, by the goal's requirements.
[[nodiscard]] bool may_win(const SweepPlan& plan, std::size_t board, const TrialRecord& trial);

// Returns the refusal by the goal's requirements on metrics that are known once the trial is
// compiled; nullopt when it may run. Throws Error (user) when a metric cannot be evaluated.
[[nodiscard]] std::optional<Outcome> refused_by_goal(const SweepPlan& plan, const TrialTask& task);

}  // namespace warpwright
