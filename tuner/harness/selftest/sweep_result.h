// Real sweeps of the harness's own configs, each with a database of its own that is deleted
// afterwards, and the resulting leaderboard.
#pragma once

#include <exception>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "records/configuration.h"
#include "sweep/sweep.h"

namespace warpwright {

struct SweptTrial {
  Configuration configuration;
  Status status = Status::kOk;
  std::string reason;
  std::optional<double> median_us;
};

struct SweepResult {
  std::string ended;
  double wall_seconds = 0;
  double measure_seconds = 0;
  double ranking_seconds = 0;
  std::string protocol;
  std::vector<SweptTrial> trials;
  std::vector<Configuration> ranked;  // in the leaderboard's order, best first
  std::vector<Configuration> tied;    // those among them that tie with the best
};
void to_json(nlohmann::json& json, const SweepResult& result);

// Reads the database of a finished sweep of one problem on one device.
[[nodiscard]] SweepResult read_sweep_result(const SweepSummary& summary);

// The user stopped a sweep: the rest of the selftest is not run.
struct Interrupted : std::exception {};

// Runs a sweep of a config of the project ("harness_spin.yaml") anew, without progress. Throws
// Error, and Interrupted when the user stopped it.
using RunSweep = std::function<SweepResult(const std::string& config, SweepOptions options)>;
[[nodiscard]] RunSweep sweep_runner(const Paths& paths, const std::string& device);

}  // namespace warpwright
