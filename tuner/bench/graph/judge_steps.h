// A step of a graph that took less time than its work requires on the device (metrics/peaks.h) is
// as wrong as a step with a wrong output.
#pragma once

#include "bench/graph/graph_plan.h"
#include "trial/sequence/sequence.h"

namespace warpwright {

// Changes an ok result with such a step to the status `impossible`, with a reason that names the
// step, and removes its times.
void judge_steps(const GraphPlan& plan, const DeviceInfo& device, const Peaks& peaks,
                 SequenceResult& result);

}  // namespace warpwright
