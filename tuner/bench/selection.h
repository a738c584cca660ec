// The cases that `warpwright bench` times: on every problem the best configuration that the
// database holds for this device, else the contract's defaults, and every named configuration. This
// starts no process and opens no device.
//
// Problems are the requested ones, else those with results on this device, else those of
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
  std::vector<std::string> kernels;         // empty: those with results on this device, else all
  std::filesystem::path database;           // empty: the default one, if it exists
  std::vector<std::string> configurations;  // "variant=threshold THREADS=256", of the one kernel
  std::vector<std::string> problems;        // "rows=8192 V=50257 K=10"
};

struct BenchSelection {
  std::deque<KernelSpec> kernels;  // the cases point to these
  std::vector<BenchCase> cases;    // each name once
  std::vector<std::string> notes;  // anything unexpected: a line each
  std::string database;            // the source of winners; empty without one
  Peaks peaks;                     // from the database's ceilings, else from the driver's figures
};

// Throws Error (user): an unknown kernel, a bad configuration or problem, no problem to be found,
// or a database that was named and cannot be read.
[[nodiscard]] BenchSelection select_bench_cases(const BenchRequest& request, const Paths& paths,
                                                const DeviceInfo& device);

}  // namespace warpwright
