// The regression gate: the kernels as they are now against a baseline. Everything is compiled now,
// the baseline's sources as well; candidates are first found right, then compared: raced in blocks
// ABBA on a device with a clock, counted on one without. What no longer compiles, launches,
// computes or exists is a finding, never the end of the check.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/gate_report.h"
#include "analysis/metric_rules.h"
#include "core/error.h"
#include "gate/baseline.h"
#include "run/measure_worker.h"
#include "run/paths.h"

namespace warpwright {

struct CheckOptions {
  std::filesystem::path baseline;
  std::string device = "auto";
  MetricRules rules;
  bool race_identical = false;  // time also what is the same machine code: a test of the gate
  std::uint64_t seed = 1;
  int compile_workers = 0;   // 0: one per core
  int emulator_workers = 0;  // 0: one per core
  bool quiet = false;
};

// What a device answered, or the Error that ended the request.
struct GateAnswer {
  Outcome outcome;
  std::optional<Error> error;
};

// What the gate needs of the world; tests stand in for it.
struct GateWorld {
  DeviceInfo device;
  std::string nvrtc;
  // All jobs at once; results in their order.
  std::function<std::vector<CompileResult>(std::vector<CompileJob> jobs)> compile;
  // Requests about one kernel, in fresh worker processes; answers in their order.
  std::function<std::vector<GateAnswer>(
      const KernelSpec& kernel, std::vector<std::shared_ptr<const MeasureRequest>> requests)>
      ask;
  std::function<void(const std::string& step)> step = [](const std::string&) {};
};

// Throws Error: the environment's when no request could be answered at all.
[[nodiscard]] GateReport check_baseline(const GateWorld& world, const CheckOptions& options,
                                        const Baseline& baseline, const Paths& paths);

// The same through worker processes. Throws Error (user) on a baseline that cannot be read or is
// damaged, and unless `device` names one device.
[[nodiscard]] GateReport run_check(const CheckOptions& options, const Paths& paths);

}  // namespace warpwright
