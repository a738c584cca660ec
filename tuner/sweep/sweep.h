// A sweep, end to end: YAML -> space -> strategy -> compile pool -> measurers -> database ->
// strategy. Everything already in the database under the same key is taken from there; a stop at
// any moment loses only trials that were not finished.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/records.h"
#include "records/search_course.h"
#include "records/status.h"
#include "search/shard.h"
#include "spec/goal.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"
#include "workers/paths.h"
#include "workers/worker_node.h"

namespace warpwright {

struct SweepOptions {
  std::filesystem::path config;
  std::string device = "auto";
  std::optional<std::string> strategy;
  std::optional<Budget> budget;
  std::optional<double> until;  // instead of the budget's
  // What no implementation of a trial's work can beat on the device of this fingerprint, in
  // microseconds: for searches that end near it.
  std::function<std::optional<double>(const std::string& fingerprint, const TrialRecord& trial)>
      limit_us;
  std::optional<HazardPolicy> hazards;    // instead of the sweep's
  bool strict = false;                    // refuse problems that the contract leaves untested
  std::optional<bool> warm_start;         // likewise
  std::optional<Prior> prior;             // likewise
  AddedOptions added;                     // to those of the sweep
  std::vector<std::string> objectives;    // instead of the sweep's, as parse_objective() takes them
  std::vector<std::string> requirements;  // likewise
  std::filesystem::path database;         // empty: the default one
  std::uint64_t seed = 1;
  bool fresh = false;          // measure again what the database already holds
  std::optional<Shard> shard;  // only this part; others run elsewhere
  // Only what the database holds to be the best, of all GPUs of the kind, and its final ranking.
  bool rank_only = false;
  std::vector<std::string> overrides;  // "rows=1024"
  int compile_workers = 0;             // 0: one per core
  int emulator_slots = 0;              // 0: one per core
  bool use_compile_cache = true;
  bool screening = true;  // stop measuring what cannot win; false times everything fully
  // Trials that wait for a device with a clock are taken at random (workers/measure_pool.h).
  bool any_order = true;
  bool rank = true;  // end every board with a final ranking, on a device with a clock
  // Leaves out the problems of which a device can run no configuration; otherwise one is an error.
  bool skip_impossible = false;
  // Called with the devices before any of them is used; has them to itself, or throws. On other
  // machines it is called for one device after another, with its node.
  std::function<void(const std::vector<DeviceInfo>& devices, const WorkerNode* node)> claim =
      [](const std::vector<DeviceInfo>&, const WorkerNode*) {};
  WorkerNodes* nodes = nullptr;  // where workers run; null: on this machine
  bool quiet = false;            // no progress
  std::string command_line;
  std::string version;
};

// How a GPU's times differ from another's of its kind, as a fraction: 0.007 is 0.7 % slower.
struct GpuDifference {
  double fraction = 0;
  double low = 0, high = 0;  // from the 95 % intervals of both, taken as independent
  std::size_t anchors = 0;   // boards that tell
};

// One leaderboard's worth of work: a problem on a device.
struct SweepBoard {
  DeviceInfo device;
  Problem problem;
  std::string problem_text;
  std::uint64_t space_count = 0;
  double cartesian_size = 0;
  std::uint64_t asked = 0;  // of the space, at most: by all shards of the sweep together
  std::vector<KnowledgeSource> began_with = {};  // what its search was told before its first trial
};

// One of several GPUs that shared their boards.
struct GpuShare {
  DeviceInfo device, lead;  // equal for the one on which the best of all met
  std::size_t timed = 0;    // trials that were measured there in this run
  double busy_seconds = 0;
  std::optional<GpuDifference> difference = std::nullopt;  // from the lead
};

// What --prior emulator has come to.
struct PriorSummary {
  std::string device;                    // that modelled; "" for none
  std::size_t candidates = 0;            // configurations that it was given
  std::size_t modelled = 0, failed = 0;  // and what became of them until the sweep ended
  double seconds = 0;                    // from the first to the last
};

struct SweepSummary {
  RowId run = 0;
  KernelSpec kernel;
  std::filesystem::path database;
  std::vector<SweepBoard> boards;
  std::vector<SweepBoard> skipped;  // with SweepOptions::skip_impossible
  std::string ended;  // "complete", "budget", "enough" (a search's own word) or "interrupted"
  std::vector<SearchCourse> searches;  // of the boards that were searched
  GoalSpec goal;
  bool fresh = false;  // SweepOptions::fresh
  std::optional<Shard> shard;
  std::size_t trials = 0;  // resumed ones included
  std::size_t resumed = 0;
  std::map<Status, std::size_t> by_status;
  double wall_seconds = 0;
  double compile_busy_seconds = 0;  // summed over workers
  int compile_workers = 0;
  std::uint64_t compiled = 0;
  std::uint64_t compile_cache_hits = 0;
  double trial_measure_seconds = 0;  // taking samples, summed over the trials of this run
  // Likewise: cases, making inputs and asking the reference, and the rest of validation.
  double case_seconds = 0, input_seconds = 0, validate_seconds = 0;
  std::size_t rankings = 0;    // final rankings made
  double ranking_seconds = 0;  // spent on those, validation and headline included
  PriorSummary prior;
  std::vector<GpuShare> gpus;        // that shared their boards with others
  std::size_t guests = 0;            // trials measured on another GPU of the kind, too
  std::size_t repeated = 0;          // trials measured again because the anchor had moved
  std::size_t shared = 0;            // trials that took the outcome of equal code
  double measure_busy_seconds = 0;   // of the busiest measurer
  std::uint64_t measurers_lost = 0;  // worker processes that hung, died or lost their device
  std::uint64_t retried = 0;         // trials that were begun again because their worker died
};

// Throws Error for the user's input and the environment; what kernels do is in the database.
[[nodiscard]] SweepSummary run_sweep(const SweepOptions& options, const Paths& paths);

}  // namespace warpwright
