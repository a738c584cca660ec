// Makes a baseline from sweeps, with their default configurations, or from the winners in a
// database. Sources are copied, compiled, validated and counted on the emulator, so that only
// correct kernels can become a baseline.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/baseline.h"
#include "check/check.h"
#include "records/configuration.h"
#include "records/records.h"
#include "workers/paths.h"

namespace warpwright {

// The part of a sweep that a baseline records.
enum class SweepPart {
  kProblems,  // every problem
  kEmulated,  // every emulated problem
  kBrief,     // of each variant one configuration, on the first emulated problem that it can run
};

struct BaselineOptions {
  std::vector<std::string> what;  // sweeps (files) and kernels (names)
  std::filesystem::path folder;   // new, empty, or an existing baseline to replace
  // The database with the winners. If empty, sweeps give default configurations, and kernels are
  // looked up in the default database.
  std::filesystem::path database;
  SweepPart part = SweepPart::kProblems;
  std::string device = "emu:sm_90a";  // the device without a clock whose figures are recorded
  std::string command;                // the command, shown in the text
  WorkerOptions workers;
  bool quiet = false;
};

struct MadeBaseline {
  Baseline baseline;
  std::vector<std::string> notes;  // omitted entries and the reasons
};

// Throws Error (user) on an entry that cannot be in a baseline, such as a configuration with wrong
// results.
[[nodiscard]] MadeBaseline make_baseline(const BaselineOptions& options, const Paths& paths);

// The parts of make_baseline(), declared for tests.

// An entry before compilation, with its sources as they will be copied.
struct BaselineDraft {
  BaselineEntry entry;
  std::vector<KernelSource> sources;
};
// Drafts the problems of that part of the sweep with the default configuration of each variant that
// it selects: the only value that the sweep gives a parameter, or else the contract's default; or
// the sweep's presets. Configurations that the constraints exclude are omitted and noted.
[[nodiscard]] std::vector<BaselineDraft> draft_sweep(const std::filesystem::path& sweep,
                                                     const Paths& paths, const DeviceInfo& device,
                                                     SweepPart part,
                                                     std::vector<std::string>& notes);
// Drafts the winner of every problem and device for which the database has measured times, or
// modelled times if it has no measured ones. Small problems are chosen from `emulated`, or from the
// sweep that was run if that is empty.
[[nodiscard]] std::vector<BaselineDraft> draft_winners(
    const std::filesystem::path& database, const std::string& kernel,
    const std::vector<std::map<std::string, Value>>& emulated);

// Returns the small problem that shares most sizes with `problem`, the first among equals; nullopt
// if there are none.
[[nodiscard]] std::optional<Problem> nearest_problem(
    const Problem& problem, const std::vector<std::map<std::string, Value>>& small);

}  // namespace warpwright
