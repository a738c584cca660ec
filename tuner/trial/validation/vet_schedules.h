// One configuration's cases under all of the emulator's checkers and many schedules: what each
// found, once, with the schedules that show it. A finding is a hazard, a fault, or a wrong result;
// none of them ends the rest.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "device/launch_hazard.h"
#include "records/status.h"
#include "trial/validation/contract_findings.h"

namespace warpwright {

class TrialValidation;

// The kind of a finding that one schedule alone does not show.
inline constexpr const char* kDiffersBetweenSchedules = "differs between schedules";

struct VetRequest {
  std::uint64_t first_seed = 1;
  std::uint64_t schedules = 1;     // seeds first_seed ... first_seed + schedules - 1
  std::uint64_t instructions = 0;  // warp instructions that one may take; 0: what cases may
  bool trust_cas_reads = false;    // the plain read in front of an atomicCAS loop is no finding
  bool contract = false;           // check the contract, too
};
void to_json(nlohmann::json& json, const VetRequest& request);
void from_json(const nlohmann::json& json, VetRequest& request);

struct VetFinding {
  LaunchHazard hazard;               // as the first schedule that shows it says
  std::vector<std::uint64_t> seeds;  // all that show it
};

struct VettedCase {
  std::string name;          // empty for the problem itself
  std::string problem_text;  // "rows=4 V=4099"
  // Why it could not be run (kCompileFailed, kInvalid); kOk otherwise, whatever was found.
  Status status = Status::kOk;
  std::string reason;
  std::string advice;  // the end of the reason, which says what to change in the contract
  std::uint64_t schedules = 0;
  // Those that were asked for and not run, because one showed that no other can do or find anything
  // else. Then there are no findings.
  std::uint64_t spared = 0;
  std::vector<VetFinding> findings;
  // The limit that a schedule met, and where; nothing is known of what comes after it. Empty when
  // all of them ended.
  std::string undecided;
  // Of the schedules whose outputs were right, and what the outputs of each were; empty where they
  // may differ.
  struct Outputs {
    std::uint64_t seed = 0;
    std::uint64_t hash = 0;
  };
  std::vector<Outputs> outputs;
  ContractFindings contract;  // with VetRequest::contract
};

struct VetOutcome {
  std::vector<VettedCase> cases;
};
void to_json(nlohmann::json& json, const VetOutcome& outcome);
void from_json(const nlohmann::json& json, VetOutcome& outcome);

// Adds what the schedules of the request show to `vetted`.
void vet_schedules(TrialValidation& check, const VetRequest& request, VettedCase& vetted);

// Adds what further schedules of the same case show, which another process ran: afterwards it is as
// if one had run all of them, one after another.
void add_schedules(VettedCase& vetted, VettedCase further);

}  // namespace warpwright
