// Compiles the steps of a graph, has a worker process run them, and judges their times. This
// process never opens a device.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/graph/graph_plan.h"
#include "trial/sequence/sequence.h"
#include "workers/paths.h"

namespace warpwright {

class GraphMeasurer {
 public:
  virtual ~GraphMeasurer() = default;
  // Failures are in the result: kCompileFailed when a compiler refuses a step.
  virtual SequenceResult run(const GraphPlan& plan) = 0;
};

// Makes a measurer for `device`; `paths` must outlive it. Each run has a process of its own.
// `on_step` receives progress messages. Throws Error (environment) from run() when no process can
// be started, and Error (user) when a contract is at fault.
[[nodiscard]] std::unique_ptr<GraphMeasurer> make_graph_measurer(
    const Paths& paths, const DeviceInfo& device,
    std::function<void(const std::string& line)> on_step = {});

// A step of a graph that took less time than its work requires on the device (metrics/peaks.h) is
// as wrong as a step with a wrong output. This changes an ok result with such a step to the status
// `impossible`, with a reason that names the step, and removes its times.
void judge_steps(const GraphPlan& plan, const DeviceInfo& device, const Peaks& peaks,
                 SequenceResult& result);

}  // namespace warpwright
