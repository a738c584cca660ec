#include "sweep/sweep.h"

#include <fmt/format.h>

#include <csignal>

#include "core/error.h"
#include "core/progress.h"
#include "sweep/rank_only.h"
#include "sweep/run_book.h"
#include "sweep/sweep_engine.h"

namespace warpwright {

SweepSummary run_sweep(const SweepOptions& options, const Paths& paths) {
  // A limit on file sizes should be reported as the full disk it amounts to, not kill the sweep.
  std::signal(SIGXFSZ, SIG_IGN);
  SweepPlan plan = make_plan(options, paths);
  const std::filesystem::path file =
      options.database.empty() ? paths.default_database() : options.database;
  if (options.database.empty()) std::filesystem::create_directories(file.parent_path());
  Database database = open_database(file);
  if (options.rank_only) keep_finalists(plan, database);
  options.claim(plan.devices);
  Progress progress(stderr_progress(plan.kernel.name, options.quiet));
  WorkerHost host;
  SweepEngine engine(options, paths, std::move(plan), database, progress, host);
  return engine.run();
}

}  // namespace warpwright
