// The verb `check` compares the current kernels with a baseline. Everything is compiled now,
// including the baseline's sources. Candidates are validated first and then compared: raced in ABBA
// blocks on a device with a clock, counted on one without. A kernel that no longer compiles,
// launches, computes correctly or exists is a finding and never ends the check.
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
  bool race_identical = false;  // also time identical machine code, to test the gate
  // Leaves correctness to other tests: the contract's cases are not run, and what has the same
  // machine code is only compiled. Refused on a device with a clock.
  bool figures_only = false;
  WorkerOptions workers;
  // Called with the device before it is used; claims it exclusively, or throws.
  std::function<void(const DeviceInfo& device)> claim = [](const DeviceInfo&) {};
  bool quiet = false;
};

// Throws Error: the environment's if no request could be answered at all.
[[nodiscard]] CheckReport check_baseline(const WorkerWorld& world, const CheckOptions& options,
                                         const Baseline& baseline, const Paths& paths);

// As check_baseline(), through worker processes. Throws Error (user) on a baseline that cannot be
// read or is damaged, and unless `device` names one device.
[[nodiscard]] CheckReport run_check(const CheckOptions& options, const Paths& paths);

}  // namespace warpwright
