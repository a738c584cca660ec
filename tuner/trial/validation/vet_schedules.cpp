#include "trial/validation/vet_schedules.h"

#include <algorithm>

#include "trial/validation/trial_validation.h"

namespace warpwright {
namespace {

void add(std::vector<VetFinding>& findings, LaunchHazard hazard, std::uint64_t seed) {
  const auto known = std::find_if(findings.begin(), findings.end(), [&](const VetFinding& one) {
    return same_mistake(one.hazard, hazard);
  });
  if (known == findings.end()) {
    findings.push_back({std::move(hazard), {seed}});
  } else if (known->seeds.back() != seed) {
    known->seeds.push_back(seed);
  }
}

// What no checker of the emulator says, as a finding without a line.
LaunchHazard without_place(std::string kind, std::string message) {
  LaunchHazard hazard;
  hazard.kind = std::move(kind);
  hazard.message = std::move(message);
  return hazard;
}

}  // namespace

void vet_schedules(TrialValidation& check, const VetRequest& request, VettedCase& vetted) {
  for (std::uint64_t i = 0; i < request.schedules; ++i) {
    const std::uint64_t seed = request.first_seed + i;
    ValidationReport report = check.vet(seed);
    if (report.status == Status::kInvalid) {
      vetted.status = report.status;
      vetted.reason = std::move(report.reason);
      return;  // no schedule makes the launch possible
    }
    ++vetted.schedules;
    const bool explained = !report.launch.hazards.empty();
    for (LaunchHazard& hazard : report.launch.hazards) {
      if (hazard.kind == kDoesNotEnd) {
        vetted.undecided = std::move(hazard.message);
      } else {
        add(vetted.findings, std::move(hazard), seed);
      }
    }
    if (!vetted.undecided.empty()) return;  // others would take as long
    if (report.status == Status::kWrongResult) {
      add(vetted.findings, without_place("wrong result", report.reason), seed);
    } else if (report.status == Status::kNondeterministic) {
      add(vetted.findings, without_place(kDiffersBetweenSchedules, report.reason), seed);
    } else if (report.status != Status::kOk && !explained) {
      add(vetted.findings, without_place("launch failed", report.reason), seed);
    }
  }
}

}  // namespace warpwright
