// Vetting: one kernel's cases under all of the emulator's checkers and many schedules, through
// worker processes. What is found is a report, never an Error.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "spec/added_options.h"
#include "spec/kernel_spec.h"
#include "vet/vet_report.h"
#include "workers/paths.h"

namespace warpwright {

struct VetOptions {
  std::string subject;             // a kernel's name, its folder, a contract, or a .cu file
  std::filesystem::path contract;  // of a .cu file, unless it lies beside it; may be empty
  std::string device = "emu:sm_90a";
  std::string variant;                 // empty: every variant
  std::string case_name;               // empty: every case
  std::vector<std::string> overrides;  // "THREADS=256", of parameters and of problem sizes
  std::uint64_t first_seed = 1;
  std::uint64_t schedules = 5;
  std::uint64_t instructions = 0;     // that one schedule of a case may take; 0: as in sweeps
  std::chrono::milliseconds time{0};  // likewise
  bool trust_cas_reads = false;       // the plain read in front of an atomicCAS loop is no finding
  bool strict = false;                // remarks on the contract are findings
  AddedOptions added;                 // to what the contract compiles with
  int emulator_workers = 0;           // 0: one per core
  bool quiet = false;
  // What the replay commands begin with: what was typed, without cases, seeds and schedules.
  std::string replay_prefix;
};

// True for a .cu file whose own comments say how it is launched (vet/comments).
[[nodiscard]] bool is_launched_by_comments(const VetOptions& options);
// The contract that any other subject means. Throws Error (user) when there is none.
[[nodiscard]] KernelSpec find_subject(const VetOptions& options, const Paths& paths);

// Throws Error (user) on what the options name and the contract lacks, and on a device with a
// clock.
[[nodiscard]] VetReport vet_kernel(const VetOptions& options, const Paths& paths);

}  // namespace warpwright
