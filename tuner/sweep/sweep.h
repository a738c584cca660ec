// A sweep, end to end: YAML -> space -> strategy -> compile pool -> measurers -> database ->
// strategy. Trials that the database already holds under the same key are not repeated; a stop at
// any moment loses only unfinished trials.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/goal_record.h"
#include "records/records.h"
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
  std::optional<std::string> config_text;  // instead of the file's content
  std::string device = "auto";
  std::optional<std::string> strategy;
  std::optional<Budget> budget;
  std::optional<double> until;  // instead of the budget's
  // Returns the shortest time, in microseconds, that any implementation of a trial's work could
  // take on the device with this fingerprint. Searches that come close to it end.
  std::function<std::optional<double>(const std::string& fingerprint, const TrialRecord& trial)>
      limit_us;
  std::optional<HazardPolicy> hazards;    // instead of the sweep's
  bool strict = false;                    // refuse problems that the contract leaves untested
  std::optional<bool> warm_start;         // instead of the sweep's
  std::optional<Prior> prior;             // instead of the sweep's
  AddedOptions added;                     // added to the sweep's own
  std::vector<std::string> objectives;    // instead of the sweep's, as parse_objective() takes them
  std::vector<std::string> requirements;  // instead of the sweep's
  std::filesystem::path database;         // empty: the default one
  std::uint64_t seed = 1;
  bool fresh = false;          // measure again what the database already holds
  std::optional<Shard> shard;  // only this part; others run elsewhere
  // Rank only the best configurations in the database, of all GPUs of the kind.
  bool rank_only = false;
  std::vector<std::string> overrides;  // "rows=1024", "version=V0..V4"
  int compile_workers = 0;             // 0: one per core
  int emulator_slots = 0;              // 0: one per core
  bool use_compile_cache = true;
  bool screening = true;  // stop measuring what cannot win; false times everything fully
  // Trials that wait for a device with a clock are measured in random order
  // (workers/measure_pool.h).
  bool any_order = true;
  bool rank = true;  // end every board with a final ranking, on a device with a clock
  // Leaves out problems for which a device can run no configuration; otherwise such a problem is an
  // error.
  bool skip_impossible = false;
  // Called before any of the devices is used; claims exclusive use of them, or throws. For other
  // machines it is called once for each device, with the device's node.
  std::function<void(const std::vector<DeviceInfo>& devices, const WorkerNode* node)> claim =
      [](const std::vector<DeviceInfo>&, const WorkerNode*) {};
  WorkerNodes* nodes = nullptr;  // where workers run; null: on this machine
  bool quiet = false;            // no progress
  std::string command_line;
  std::string version;
};

// The difference between the times of two GPUs of a kind, as a fraction: 0.007 is 0.7 % slower.
struct GpuDifference {
  double fraction = 0;
  double low = 0, high = 0;  // from the 95 % intervals of both, taken as independent
  std::size_t anchors = 0;   // boards it was computed from
};

// One leaderboard's worth of work: a problem on a device.
struct SweepBoard {
  DeviceInfo device;
  Problem problem;
  std::string problem_text;
  std::uint64_t space_count = 0;
  double cartesian_size = 0;
  std::uint64_t asked = 0;  // most questions, of all shards of the sweep together
  std::vector<KnowledgeSource> began_with = {};  // known before its first trial
};

// The part of one of several GPUs that shared their boards.
struct GpuShare {
  DeviceInfo device, lead;  // equal for the lead itself
  std::size_t timed = 0;    // trials that were measured there in this run
  double busy_seconds = 0;
  std::optional<GpuDifference> difference = std::nullopt;  // relative to the lead
};

// The result of --prior emulator.
struct PriorSummary {
  std::string device;                    // the emulated device; "" for none
  std::size_t candidates = 0;            // configurations that it was given
  std::size_t modelled = 0, failed = 0;  // outcomes until the sweep ended
  double seconds = 0;                    // from the first to the last
};

struct SweepSummary {
  RowId run = 0;
  KernelSpec kernel;
  std::filesystem::path database;
  std::vector<SweepBoard> boards;
  std::vector<SweepBoard> skipped;  // with SweepOptions::skip_impossible
  RunEnd ended = RunEnd::kComplete;
  std::vector<SearchCourse> searches;  // of the boards that were searched
  // The changes that --set made to versions: "V4 with STAGES=3 (V4 has 2)".
  std::vector<std::string> version_changes;
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
  // Summed in the same way: cases, making inputs and computing the reference, and the rest of
  // validation.
  double case_seconds = 0, input_seconds = 0, validate_seconds = 0;
  std::size_t rankings = 0;    // final rankings made
  double ranking_seconds = 0;  // spent on them, with validation and headline
  PriorSummary prior;
  std::vector<GpuShare> gpus;        // the GPUs that shared boards with others
  std::size_t guests = 0;            // trials measured again on another GPU of the kind
  std::size_t repeated = 0;          // trials measured again because the anchor had moved
  std::size_t shared = 0;            // trials that took the outcome of equal code
  double measure_busy_seconds = 0;   // of the busiest measurer
  std::uint64_t measurers_lost = 0;  // worker processes that hung, died or lost their device
  std::uint64_t retried = 0;         // trials that were begun again because their worker died
};

// Throws Error on faults of the user's input and of the environment; failures of kernels are stored
// in the database.
[[nodiscard]] SweepSummary run_sweep(const SweepOptions& options, const Paths& paths);

}  // namespace warpwright
