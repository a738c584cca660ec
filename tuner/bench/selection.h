// The cases that `warpwright bench` times: on every problem the best configuration that the
// database holds for this device, else the contract's defaults, and every named configuration; or
// the named versions and configurations alone. This starts no process and opens no device.
//
// Problems are the requested ones, else those with results on this device, else those of
// configs/<kernel>.yaml.
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "bench/bench_case.h"
#include "device/device.h"
#include "metrics/peaks.h"
#include "records/configuration.h"
#include "store/database.h"
#include "workers/paths.h"

namespace warpwright {

// The best configuration of a kernel on one problem in a database, for one device.
struct Winner {
  RowId trial = 0;
  bool ranked = false;
  Stored<Problem> problem;
  std::string contract_hash;
  Configuration configuration;
  double median_us = 0;  // as shown on its board
  std::string protocol;
  bool modelled = false;
};

// Returns one winner per problem; results of other devices are ignored.
[[nodiscard]] std::vector<Winner> find_winners(const std::vector<Leaderboard>& boards,
                                               const DeviceInfo& device);
[[nodiscard]] std::vector<Winner> find_winners(const Database& database, const std::string& kernel,
                                               const DeviceInfo& device);

struct BenchRequest {
  std::vector<std::string> kernels;         // empty: those with results on this device, else all
  std::filesystem::path database;           // empty: the default one, if it exists
  std::vector<std::string> configurations;  // "variant=threshold THREADS=256", of the one kernel
  std::vector<std::string> problems;        // "rows=8192 V=50257 K=10"
  std::string versions;                     // "V0..V4", of the one kernel, instead of the best
  std::vector<std::string> overrides;       // "STAGES=3", changes of the versions
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
