// The options of the verb `vet`.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "spec/added_options.h"

namespace warpwright {

struct VetOptions {
  std::string subject;             // a kernel's name, its folder, a contract, or a .cu file
  std::filesystem::path contract;  // for a .cu file whose contract is elsewhere; may be empty
  std::string device = "emu:sm_90a";
  std::string variant;                 // empty: every variant
  std::string case_name;               // empty: every case
  std::vector<std::string> overrides;  // "THREADS=256", for parameters and problem sizes
  std::string versions;                // "V0..V4": these instead of the defaults of each variant
  std::uint64_t first_seed = 1;
  std::uint64_t schedules = 5;
  std::uint64_t instructions = 0;     // limit for one schedule of a case; 0: as in sweeps
  std::chrono::milliseconds time{0};  // limit for one schedule of a case; 0: as in sweeps
  bool trust_cas_reads = false;       // accept the plain read in front of an atomicCAS loop
  bool strict = false;                // remarks on the contract count as findings
  bool necessity = false;             // find out which barriers, waits and fences are needed
  AddedOptions added;                 // added to the contract's compile options
  int emulator_workers = 0;           // 0: one per core
  bool quiet = false;
  // The beginning of replay commands: the typed command without cases, seeds and schedules.
  std::string replay_prefix;
};

}  // namespace warpwright
