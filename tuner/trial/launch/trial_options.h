// The options of a TrialRunner, which hold for all of its trials, and the limits that come with the
// request for one trial.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "spec/hazard_policy.h"

namespace warpwright {

struct TrialOptions {
  std::uint64_t seed = 1;
  std::filesystem::path
      reference_library;  // in-tree shared object; empty: compiled here and cached
  std::filesystem::path reference_include;  // folder of reference.h
  std::filesystem::path cache_folder;       // for references and their results; empty: none
  std::uint64_t validated_elements =
      1u << 20;  // per output, on large problems: a sample of units plus first and last
  int determinism_runs = 5;
  // Whether the first run of a validation goes through the emulator's checkers.
  bool check_hazards = false;
  bool trust_cas_reads = false;  // of the checkers; see VetRequest
  // Whether a finding fails the trial (kHazard) or is listed in Outcome::hazards.
  HazardPolicy hazards = HazardPolicy::kReject;
  // Refuse problems that the contract leaves untested, as strict contracts do.
  bool strict = false;
  // False: nothing is pruned, and everything is measured as fully as a finalist.
  bool screening = true;
  std::chrono::milliseconds launch_time_limit{10'000};
  std::uint64_t emulated_instruction_limit = 4'000'000'000;
  // Called with the next phase of a trial, so that progress can be watched: "inputs" and
  // "reference" (both may take minutes), "validate" (before every launch that is checked),
  // "measure".
  std::function<void(std::string_view phase)> on_phase;
  void enter(std::string_view phase) const {
    if (on_phase) on_phase(phase);
  }
};

// Limits and results of the sweep so far, passed along with a request for a trial.
struct TrialLimits {
  std::optional<std::chrono::milliseconds> launch_time_limit;  // instead of the options'
  std::optional<double> best_us;  // the best time so far on this problem
  bool energy = false;            // also measure the energy per launch of timed trials
};

}  // namespace warpwright
