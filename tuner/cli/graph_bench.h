// `warpwright bench --graph`: kernels in sequence beside the sum of their times.
#pragma once

#include <filesystem>
#include <string>

#include "cli/verb.h"
#include "records/device_info.h"
#include "workers/paths.h"

namespace warpwright {

struct GraphBenchRequest {
  std::filesystem::path graph;
  std::string database;  // empty: the default one, if it exists
  DeviceInfo device;
};

// Prints the report. The exit code: 0 when every run was right, 1 when one was not or failed.
[[nodiscard]] int bench_graph(const GraphBenchRequest& request, const Paths& paths,
                              const GlobalOptions& global);

}  // namespace warpwright
