#include "bench/graph/judge_steps.h"

#include <fmt/format.h>

#include "metrics/harness_kernels.h"
#include "sweep/trial_record.h"

namespace warpwright {

void judge_steps(const GraphPlan& plan, const DeviceInfo& device, const Peaks& peaks,
                 SequenceResult& result) {
  if (result.status != Status::kOk) return;
  for (std::size_t i = 0; i < result.steps.size() && i < plan.steps.size(); ++i) {
    const PlannedStep& step = plan.steps[i];
    if (is_harness_kernel(step.kernel->name)) continue;
    const Work work = contract_work(*step.kernel, step.configuration, step.problem, device);
    // The step's time is the time of a launch.
    const auto reason = beyond_peaks(work, result.steps[i].median_us / work.units, peaks);
    if (!reason) continue;
    std::string told =
        fmt::format("step '{}' ({}): {}", step.name, step.kernel->name, reason->text);
    result = {};
    result.status = Status::kImpossible;
    result.reason = std::move(told);
    return;
  }
}

}  // namespace warpwright
