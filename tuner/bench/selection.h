// What `warpwright bench` times: on every problem the best configuration that the database holds
// for this device, else the contract's defaults, and every configuration that is named. Nothing is
// started or opened here.
//
// Problems are those that were asked for, else those with results of this device, else those of
// configs/<kernel>.yaml.
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "metrics/peaks.h"
#include "workers/paths.h"

namespace warpwright {

struct BenchRequest {
  std::vector<std::string> kernels;         // none: those with results of this device, else all
  std::filesystem::path database;           // empty: the default one, if it exists
  std::vector<std::string> configurations;  // "variant=threshold THREADS=256", of the one kernel
  std::vector<std::string> problems;        // "rows=8192 V=50257 K=10"
};

struct BenchSelection {
  std::deque<KernelSpec> kernels;  // what the cases point to
  std::vector<BenchCase> cases;    // each name once
  std::vector<std::string> notes;  // anything unexpected: a line each
  std::string database;            // where winners came from; empty without one
  Peaks peaks;  // the device's, by the ceilings in there, else by the driver's figures
};

// Throws Error (user): an unknown kernel, a bad configuration or problem, no problem to be found,
// or a database that was named and cannot be read.
[[nodiscard]] BenchSelection select_bench_cases(const BenchRequest& request, const Paths& paths,
                                                const DeviceInfo& device);

}  // namespace warpwright
