// One configuration's cases under all of the emulator's checkers and many schedules: each finding
// is listed once, with the schedules that show it. A finding is a hazard, a fault, or a wrong
// result; none of them stops the remaining schedules.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/sync_site.h"
#include "records/status.h"
#include "trial/validation/contract_check.h"

namespace warpwright {

class TrialValidation;

struct VetRequest {
  std::uint64_t first_seed = 1;
  std::uint64_t schedules = 1;     // seeds first_seed ... first_seed + schedules - 1
  std::uint64_t instructions = 0;  // warp instructions per schedule; 0: the limit for cases
  bool trust_cas_reads = false;    // do not report the plain read in front of an atomicCAS loop
  bool contract = false;           // check the contract, too
  bool list_sites = false;         // VettedCase::sites
  // Leaves out a barrier, wait or fence of the code, and ends at the first finding.
  std::optional<SyncSite> without = {};
};
void to_json(nlohmann::json& json, const VetRequest& request);
void from_json(const nlohmann::json& json, VetRequest& request);

struct VetFinding {
  Finding finding;                   // as reported by the first schedule that shows it
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
  // The number of requested schedules that were not run, because one showed that no other can
  // behave differently or find anything else. There are no findings in this case.
  std::uint64_t spared = 0;
  std::vector<VetFinding> findings;
  // The limit that a schedule reached, and where; nothing after that point was checked. Empty when
  // all schedules ended.
  std::string undecided;
  // The schedules whose outputs were right, with a hash of their outputs; empty when outputs may
  // differ.
  struct Outputs {
    std::uint64_t seed = 0;
    std::uint64_t hash = 0;
  };
  std::vector<Outputs> outputs;
  ContractFindings contract;  // with VetRequest::contract
  // With VetRequest::list_sites: the barriers, waits and fences of the code.
  std::vector<SyncSite> sites;
  // With VetRequest::without: whether a schedule came to its place.
  bool passed = false;
  // By the device's model, of the first schedule that ended without a fault; 0 if there is none.
  double modelled_us = 0;

  // Whether there is something to report: a finding, a limit, or a reason why it could not be run.
  [[nodiscard]] bool objects() const {
    return status != Status::kOk || !findings.empty() || !undecided.empty();
  }
};

struct VetOutcome {
  std::vector<VettedCase> cases;
};
void to_json(nlohmann::json& json, const VetOutcome& outcome);
void from_json(const nlohmann::json& json, VetOutcome& outcome);

// Runs the schedules of the request and adds their findings to `vetted`.
void vet_schedules(TrialValidation& check, const VetRequest& request, VettedCase& vetted);

// Adds the findings of further schedules of the same case, which another process ran. The result is
// as if one process had run all of them, one after another.
void add_schedules(VettedCase& vetted, VettedCase further);

}  // namespace warpwright
