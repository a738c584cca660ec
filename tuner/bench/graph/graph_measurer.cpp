#include "bench/graph/graph_measurer.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "metrics/peaks.h"
#include "sweep/trial_record.h"
#include "workers/sequence_worker.h"
#include "workers/watchdog.h"
#include "workers/worker_recipe.h"
#include "workers/worker_world.h"

namespace warpwright {
namespace {

// Emulated launches repeat their schedules, and a graph is checked again as a whole.
constexpr int kEmulatedRuns = 2;

WorkerOptions one_process() {
  WorkerOptions options;
  options.emulator_workers = 1;
  return options;
}

class WorkerGraphMeasurer : public GraphMeasurer {
 public:
  WorkerGraphMeasurer(const Paths& paths, const DeviceInfo& device,
                      std::function<void(const std::string&)> on_step)
      : paths_(paths),
        device_(device),
        recipe_(paths_, {device_}, one_process()),
        on_step_(std::move(on_step)) {}

  SequenceResult run(const GraphPlan& plan) override {
    SequenceResult failure;
    std::vector<CompileResult> compiled = compile(plan, failure);
    if (failure.status != Status::kOk) return failure;
    SequenceRequest request;
    request.device = device_.id;
    SequenceWorker worker;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const PlannedStep& step = plan.steps[i];
      const MeasurePoolOptions recipe = recipe_.measurers(*step.kernel, device_);
      worker.command = recipe.worker_command;
      worker.limits = recipe.limits;
      RequestedStep& asked = request.steps.emplace_back();
      asked.name = step.name;
      asked.setup = recipe.setup;
      if (!device_.has_clock) asked.setup.options.determinism_runs = kEmulatedRuns;
      asked.configuration = step.configuration;
      asked.problem = step.problem;
      asked.compiled = std::move(compiled[i]);
      asked.fills = step.fills;
      asked.inputs = step.inputs;
    }
    worker.command.back() = "sequence";
    worker.on_phase = [this](const std::string& step, const std::string& phase) {
      if (phase == "inputs") say(step);
    };
    return ask_sequence_worker(worker, request);
  }

 private:
  void say(const std::string& step) const {
    if (on_step_) on_step_(step);
  }

  std::vector<CompileResult> compile(const GraphPlan& plan, SequenceResult& failure) {
    if (!compiler_) compiler_ = std::make_unique<BlockingCompiler>(recipe_.compilers());
    std::vector<CompileJob> jobs;
    for (const PlannedStep& step : plan.steps) {
      jobs.push_back(make_compile_job(*step.kernel, step.configuration, step.problem, device_,
                                      {step.kernel->folder, paths_.common_headers()}));
    }
    std::vector<CompileResult> results = compiler_->compile(std::move(jobs));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i].ok) {
        failure.status = Status::kCompileFailed;
        failure.reason = fmt::format("step '{}' ({}): {}", plan.steps[i].name,
                                     plan.steps[i].kernel->name, results[i].failure);
        return results;
      }
      strip_for(device_, results[i]);
    }
    return results;
  }

  const Paths& paths_;
  const DeviceInfo device_;
  const WorkerRecipe recipe_;
  const std::function<void(const std::string&)> on_step_;
  std::unique_ptr<BlockingCompiler> compiler_;
};

}  // namespace

std::unique_ptr<GraphMeasurer> make_graph_measurer(
    const Paths& paths, const DeviceInfo& device,
    std::function<void(const std::string& line)> on_step) {
  return std::make_unique<WorkerGraphMeasurer>(paths, device, std::move(on_step));
}

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
