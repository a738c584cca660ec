// Observations during a trial other than its samples: the errors of its outputs, findings and
// warnings, parts of its time, its energy.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "records/status.h"
#include "records/times.h"

namespace warpwright {

// The distance of one output from the reference over the validated units of the problem, for inputs
// of both seeds. Errors may be infinite, which is null in JSON.
struct OutputError {
  std::string output;
  std::uint64_t checked = 0;  // elements
  std::uint64_t wrong = 0;
  double max_abs = 0;
  double max_rel = 0;      // |out - ref| / |ref| where ref != 0
  double worst_ratio = 0;  // error / allowed error; <= 1 passes
};
void to_json(nlohmann::json& json, const OutputError& error);
void from_json(const nlohmann::json& json, OutputError& error);

// A finding of the emulator's checkers in a case of the contract that did not end the trial.
struct TrialFinding {
  // The name of its FindingKind, "shared race"; a stored one may have been made by another version.
  std::string kind;
  std::string text;  // with the case, both places and the fix, in one line

  friend bool operator==(const TrialFinding&, const TrialFinding&) = default;
};
void to_json(nlohmann::json& json, const TrialFinding& finding);
void from_json(const nlohmann::json& json, TrialFinding& finding);

// A part is absent when it was not observed, or when there was nothing to report.
struct TrialMeasurement {
  std::optional<double> anchor_drift;  // the fraction by which the anchor configuration moved
  std::optional<Validity> validity;
  std::vector<TrialFinding> hazards;
  std::vector<std::string> warnings;  // of the compiler: "a.cu:12: warning: ..."
  // Whether a strict contract or sweep refused the trial because the contract leaves the problem
  // untested. Absent when nothing was strict.
  std::optional<bool> untested;
  // Parts of the time of validation.
  std::optional<double> case_seconds;   // the contract's cases
  std::optional<double> input_seconds;  // making inputs and computing the reference
  // Units of work in a launch sequence, when times are those of one unit.
  std::optional<double> units;
  // Energy of a launch sequence, with launches back to back, if the sweep requested it.
  std::optional<double> energy_mj_per_launch;
  std::optional<double> power_w;  // mean, over the same launches
  // Absent when the status is sufficient, and in data from before there were such codes.
  std::optional<FailureDetail> failure;
};
// {"anchor_drift", "validity", "hazards", "warnings", "untested", "case_seconds", "input_seconds",
// "units", "energy_mj_per_launch", "power_w", "failure"}: null for the first two when they are
// absent, and without the others when there are none.
void to_json(nlohmann::json& json, const TrialMeasurement& measurement);
void from_json(const nlohmann::json& json, TrialMeasurement& measurement);

}  // namespace warpwright
