// A graph with its kernels: problems completed, configurations chosen, connections checked. Only
// the database is opened, and no process is started.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/graph/graph_spec.h"
#include "core/expr/expr.h"
#include "core/source_location.h"
#include "device/device.h"
#include "metrics/peaks.h"
#include "records/configuration.h"
#include "records/records.h"
#include "spec/kernel_spec.h"
#include "trial/sequence/sequence.h"
#include "workers/paths.h"

namespace warpwright {

// Connections: whether an argument of one kernel can be (part of) an output of another: of one
// type, contiguous, and of the same shape, except that adjacent axes may be merged or split and
// axes of 1 are ignored: [1, 4096] equals [1, 1, 32, 128].
//
// One kernel on one problem, as one end of a connection.
struct ConnectedKernel {
  std::string step;
  const KernelSpec* kernel = nullptr;
  Environment environment;  // trial_environment()
};

struct ConnectionRequest {
  SourceLocation where;
  std::string text;  // "qkv.y[0:4096]", for messages
  std::string output, argument;
  std::optional<std::int64_t> first, end;  // of the output's last axis; both or neither
};

// Returns the element of the output at which the argument begins. Throws Error (user) at
// request.where that names both, with their types and shapes.
[[nodiscard]] std::int64_t connect(const ConnectedKernel& from, const ConnectedKernel& to,
                                   const ConnectionRequest& request);

// Whether the shapes are equal up to merged adjacent axes and axes of 1.
[[nodiscard]] bool same_but_for_merged_axes(const std::vector<std::int64_t>& a,
                                            const std::vector<std::int64_t>& b);

// The database's result for a step's problem.
struct DatabaseTime {
  double us = 0;  // of the best there, which may differ from the step's configuration
  RowId trial = 0;
  std::string protocol;
};

struct PlannedStep {
  std::string name;
  const KernelSpec* kernel = nullptr;  // outlives the plan
  Problem problem;                     // completed
  Configuration configuration;
  std::string origin;  // "best of the database, trial 12", "default", "given"
  std::optional<DatabaseTime> database;
  std::map<std::string, std::string> fills;
  std::vector<SequenceInput> inputs;
  std::vector<std::string> connected;    // "x = norm.y"
  std::vector<std::string> unconnected;  // the same for steps that are left out: filled instead
};

struct LeftOutStep {
  std::string name, kernel, because;
};

// The plan for one choice of sizes.
struct GraphPlan {
  Problem sizes;
  std::vector<PlannedStep> steps;
  std::vector<LeftOutStep> left_out;
};

struct GraphPlans {
  std::deque<KernelSpec> kernels;  // the steps point to these
  std::vector<GraphPlan> plans;    // in the order of graph_sizes()
  std::string database;            // the source of winners; empty without one
  Peaks peaks;                     // from the database's ceilings, else from the driver
  std::vector<std::string> notes;  // anything unexpected: a line each
};

// `database` may be empty: the default one, if it exists. Throws Error (user): an unknown kernel, a
// bad problem, configuration, fill or connection, a configuration that the contract excludes, a
// choice of sizes that leaves out every step, or a database that was named and cannot be read.
[[nodiscard]] GraphPlans plan_graph(const GraphSpec& graph, const Paths& paths,
                                    const DeviceInfo& device,
                                    const std::filesystem::path& database);

// "batch=16 length=8192".
[[nodiscard]] std::string describe_sizes(const Problem& sizes);

}  // namespace warpwright
