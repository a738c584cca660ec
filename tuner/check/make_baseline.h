// Makes a baseline: from sweeps, whose default configurations are taken as they are, or from the
// winners in a database. Sources are copied, compiled, validated and counted on the emulator, so
// that only what is good can become a baseline.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/baseline.h"
#include "check/check.h"
#include "records/problem.h"
#include "records/records.h"
#include "workers/paths.h"

namespace warpwright {

struct BaselineOptions {
  std::vector<std::string> what;  // sweeps (files) and kernels (names)
  std::filesystem::path folder;   // new, empty, or a baseline that is replaced
  // Winners come from here. Empty: sweeps give default configurations, and kernels are looked for
  // in the default database.
  std::filesystem::path database;
  std::string device = "emu:sm_90a";  // whose figures are recorded; without a clock
  std::string command;                // for the reader of the text
  WorkerOptions workers;
  bool quiet = false;
};

struct MadeBaseline {
  Baseline baseline;
  std::vector<std::string> notes;  // what was left out, and why
};

// Throws Error (user) on what cannot be a baseline, such as a configuration that is not right.
[[nodiscard]] MadeBaseline make_baseline(const BaselineOptions& options, const Paths& paths);

// The parts, for tests.

// An entry before anything was compiled, with its sources as they will be copied.
struct BaselineDraft {
  BaselineEntry entry;
  std::vector<KernelSource> sources;
};
// Every problem of the sweep with the default configuration of each variant that it selects: the
// only value that the sweep gives a parameter, else the contract's default; or its presets. What
// the constraints exclude is left out and noted.
[[nodiscard]] std::vector<BaselineDraft> draft_sweep(const std::filesystem::path& sweep,
                                                     const Paths& paths, const DeviceInfo& device,
                                                     std::vector<std::string>& notes);
// The winner of every problem and device that the database has measured times of, of modelled ones
// where it has no other. Small problems are chosen from `emulated`, or where that is empty from the
// sweep that was run.
[[nodiscard]] std::vector<BaselineDraft> draft_winners(
    const std::filesystem::path& database, const std::string& kernel,
    const std::vector<std::map<std::string, Value>>& emulated);

// Of small problems, the one that shares most sizes with `problem`, the first of equals; nullopt
// for none.
[[nodiscard]] std::optional<Problem> nearest_problem(
    const Problem& problem, const std::vector<std::map<std::string, Value>>& small);

}  // namespace warpwright
