// Implements `warpwright bench --graph`: compares kernels in sequence with the sum of their times.
#pragma once

#include <filesystem>
#include <string>

#include "cli/verb.h"
#include "records/device_info.h"
#include "workers/paths.h"

namespace warpwright {

struct GraphBenchRequest {
  std::filesystem::path graph;
  std::string database;  // empty: the default database, if it exists
  DeviceInfo device;
};

// Prints the report. Returns the exit code: 0 if all results were correct, 1 if a run was wrong or
// failed.
[[nodiscard]] int bench_graph(const GraphBenchRequest& request, const Paths& paths,
                              const GlobalOptions& global);

}  // namespace warpwright
