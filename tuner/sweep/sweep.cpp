#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "sweep/ranking_stage.h"
#include "sweep/run_records.h"
#include "sweep/sweep_engine.h"
#include "terminal/progress.h"

namespace warpwright {
namespace {

void claim(const SweepOptions& options, const SweepPlan& plan) {
  if (options.nodes == nullptr) return options.claim(plan.devices, nullptr);
  // All sweeps claim in the same order, so that two sweeps that wait for several devices cannot
  // deadlock.
  std::vector<const NodeDevice*> order;
  for (const NodeDevice& placed : plan.places) order.push_back(&placed);
  const std::vector<WorkerNode>& nodes = options.nodes->gather();
  std::sort(order.begin(), order.end(), [&](const NodeDevice* one, const NodeDevice* other) {
    return std::tie(nodes[one->node].host, one->device.uuid, one->node) <
           std::tie(nodes[other->node].host, other->device.uuid, other->node);
  });
  // An emulated device that several ranks of a host share is locked by the first of them, if at
  // all.
  std::set<std::pair<std::string, std::string>> claimed;
  for (const NodeDevice* placed : order) {
    const WorkerNode& node = nodes[placed->node];
    if (claimed.emplace(node.host, placed->device.uuid).second)
      options.claim({placed->device}, &node);
  }
}

}  // namespace

SweepSummary run_sweep(const SweepOptions& options, const Paths& paths) {
  // A limit on file sizes is to be reported as a full disk, not kill the sweep.
  std::signal(SIGXFSZ, SIG_IGN);
  SweepPlan plan = make_plan(options, paths);
  const std::filesystem::path file =
      options.database.empty() ? paths.default_database() : options.database;
  if (options.rank_only) require_rankable(plan, file);
  if (options.database.empty()) make_folder(file.parent_path());
  Database database = open_database(file);
  if (options.rank_only) keep_finalists(plan, database);
  claim(options, plan);
  Progress progress(stderr_progress(plan.kernel.name, options.quiet));
  WorkerHost host;
  SweepEngine engine(options, paths, std::move(plan), database, progress, host);
  return engine.run();
}

}  // namespace warpwright
