// Writes one stored trial as a folder of its own with everything that is needed to run it again.
// The folder is made from the database alone, so it works after the sources have changed and on
// another machine.
//   kernels/    the sources as they were: contract, reference, the variant, what they include
//   sweep.yaml  that one configuration on that one problem
//   trial.json  everything that was stored of the trial
//   run.sh      runs it into repro.db, under compute-sanitizer with --sanitize
//   README.md   how to run the trial, and how it ended
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/status.h"
#include "store/database.h"

namespace warpwright {

// A stored trial with the rows it refers to.
struct StoredTrial {
  std::string database;  // its name in messages
  Database::TrialRow row;
  RunRecord run;
  DeviceRecord device;
  std::string kernel_folder;  // below kernels/, which is what a sweep calls the kernel
  std::string contract;       // kernel.yaml as it was
  std::vector<std::string> inputs_left_out;  // too large to be stored: paths below the folder
};

// The texts that a repro folder holds in addition to the sources.
[[nodiscard]] std::string repro_sweep(const StoredTrial& stored);
[[nodiscard]] std::string repro_json(const StoredTrial& stored);
[[nodiscard]] std::string repro_script(const StoredTrial& stored, const std::string& device);
[[nodiscard]] std::string repro_readme(const StoredTrial& stored, const std::string& device);

struct Repro {
  std::filesystem::path folder;
  Database::TrialRow row;
  std::string device;  // what run.sh gives to --device
  // Inputs that were too large to be stored: paths below the folder where they have to be put.
  std::vector<std::string> inputs_left_out = {};
};

// `device` replaces the trial's own unless it is empty. Throws Error (user) on an unknown trial,
// one that was stored without its sources, and a folder that exists and is not empty.
[[nodiscard]] Repro write_repro(const Database& database, RowId trial,
                                const std::filesystem::path& folder, const std::string& device);

struct ReproResult {
  Status status = Status::kOk;
  std::string reason;
  bool agrees = false;        // ends as stored; a pruned or noisy trial: runs right
  bool same_sources = false;  // the folder's sources have the hash that was stored
};

// Runs run.sh with this program and compares. Its output goes to stderr when `quiet_stdout`. Throws
// Error when it ends without storing a trial.
[[nodiscard]] ReproResult run_repro(const Repro& repro, bool sanitize, bool quiet_stdout);

}  // namespace warpwright
