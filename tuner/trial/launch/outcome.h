// The result of one configuration on one problem on one device. It is plain data: it crosses the
// pipe from the worker (trial/outcome_codec.h) and is stored whole.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "records/contract_remark.h"
#include "records/kernel_resources.h"
#include "records/status.h"
#include "records/times.h"
#include "records/trial_figures.h"
#include "records/trial_measurement.h"

namespace warpwright {

struct FinalsOutcome;
struct GateOutcome;
struct VetOutcome;

// The figures of the time and of the work are set when the outcome becomes a record: from
// `time`, and from the contract.
struct Outcome : TrialFigures {
  Status status = Status::kOk;
  std::string reason;    // full, for people; empty when ok
  FailureDetail detail;  // of the failure, for programs
  std::optional<TimeEstimate> time;
  std::vector<double> samples_us;  // raw, in the order taken; the floor is never subtracted
  Validity validity;
  // Fraction by which the anchor configuration moved around this trial; NaN when not checked.
  double anchor_drift = std::numeric_limits<double>::quiet_NaN();
  // The anchor moved so far that trials since its last look must be measured again.
  bool anchor_moved = false;
  // The configuration, as text, whose measurement was reused because its machine code, launch and
  // arguments are the same. Empty when this configuration was measured itself.
  std::string same_as;
  // The remarks on the contract and the problem; nullopt when the contract was not checked.
  std::optional<std::vector<ContractRemark>> remarks;
  // Whether a strict contract or sweep refused the trial for them (kInvalid); nullopt when nothing
  // is strict.
  std::optional<bool> untested;
  std::vector<OutputError> errors;
  // The findings of the checkers in the cases. Filled only under HazardPolicy::kWarn, also when the
  // trial failed.
  std::vector<TrialFinding> hazards;
  std::vector<KernelResources> resources;
  std::vector<std::string> warnings;  // of the compiler
  std::map<std::string, std::uint64_t> counters;
  std::string cubin_hash;    // SHA-256; of the PTX when there is no cubin
  double case_seconds = 0;   // of those, the contract's cases
  double input_seconds = 0;  // of those, making inputs and asking the reference
  // The energy of one launch sequence, measured with launches back to back. Present when it was
  // requested and the device has an energy counter.
  std::optional<double> energy_mj_per_launch;
  std::optional<double> power_w;  // mean, over the same launches
  bool worker_lost = false;       // the worker must be replaced after this trial
  // The result of a request for more than a trial: the rounds and the winner of a final ranking, a
  // candidate's comparison with its baseline, or the results of the schedules for each case.
  std::variant<std::monostate, std::shared_ptr<const FinalsOutcome>,
               std::shared_ptr<const GateOutcome>, std::shared_ptr<const VetOutcome>>
      found;
  // Each is null when it was not requested or not reached.
  [[nodiscard]] const FinalsOutcome* finals() const { return found_as<FinalsOutcome>(); }
  [[nodiscard]] const GateOutcome* gate() const { return found_as<GateOutcome>(); }
  [[nodiscard]] const VetOutcome* vet() const { return found_as<VetOutcome>(); }

 private:
  template <typename What>
  [[nodiscard]] const What* found_as() const {
    const auto* held = std::get_if<std::shared_ptr<const What>>(&found);
    return held == nullptr ? nullptr : held->get();
  }
};

}  // namespace warpwright
