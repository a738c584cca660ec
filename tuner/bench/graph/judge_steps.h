// A step of a graph that took less than its work can take on the device (metrics/peaks.h) is as
// wrong as one with a wrong output.
#pragma once

#include "bench/graph/graph_plan.h"
#include "trial/sequence/sequence.h"

namespace warpwright {

// Gives a result that is ok and has such a step the status `impossible`, with a reason that names
// the step, and takes its times away.
void judge_steps(const GraphPlan& plan, const DeviceInfo& device, const Peaks& peaks,
                 SequenceResult& result);

}  // namespace warpwright
