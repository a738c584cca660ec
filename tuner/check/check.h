// The verb `check`: the kernels as they are now against a baseline. Everything is compiled now,
// the baseline's sources as well; candidates are first validated, then compared: raced in blocks
// ABBA on a device with a clock, counted on one without. What no longer compiles, launches,
// computes or exists is a finding, never the end of the check.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/baseline.h"
#include "check/check_report.h"
#include "check/metric_rules.h"
#include "core/error.h"
#include "workers/paths.h"
#include "workers/worker_world.h"

namespace warpwright {

struct CheckOptions {
  std::filesystem::path baseline;
  std::string device = "auto";
  MetricRules rules;
  bool race_identical = false;  // time identical machine code too: a test of the gate
  WorkerOptions workers;
  // Called with the device before it is used; has it to itself, or throws.
  std::function<void(const DeviceInfo& device)> claim = [](const DeviceInfo&) {};
  bool quiet = false;
};

// Throws Error: the environment's when no request could be answered at all.
[[nodiscard]] CheckReport check_baseline(const WorkerWorld& world, const CheckOptions& options,
                                         const Baseline& baseline, const Paths& paths);

// The same through worker processes. Throws Error (user) on a baseline that cannot be read or is
// damaged, and unless `device` names one device.
[[nodiscard]] CheckReport run_check(const CheckOptions& options, const Paths& paths);

}  // namespace warpwright
