#include "trial/validation/vet_schedules.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "records/codec.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {
namespace {

void add(std::vector<VetFinding>& findings, Finding finding, std::uint64_t seed) {
  const auto known = std::find_if(findings.begin(), findings.end(), [&](const VetFinding& one) {
    return same_mistake(one.finding, finding);
  });
  if (known == findings.end()) {
    findings.push_back({std::move(finding), {seed}});
  } else if (known->seeds.back() != seed) {
    known->seeds.push_back(seed);
  }
}

// Makes a finding without a line, for problems that no checker of the emulator reports.
Finding without_place(FindingKind kind, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  return finding;
}

// Adds the findings of a launch on the memory that correct launches have left.
void vet_again(TrialValidation& check, std::uint64_t seed, VettedCase& vetted) {
  ValidationReport report = check.vet_again(seed);
  for (Finding& hazard : report.launch.hazards) add(vetted.findings, std::move(hazard), seed);
  if (report.status == Status::kWrongResult && report.launch.hazards.empty())
    add(vetted.findings, without_place(FindingKind::kWrongResult, report.reason), seed);
}

constexpr const char* kDiffers =
    "its outputs are not those of an earlier schedule; if that is allowed, say `deterministic: "
    "false` in the contract";

// Compares all outputs anew.
void compare_outputs(VettedCase& vetted) {
  std::erase_if(vetted.findings, [](const VetFinding& one) {
    return one.finding.kind == FindingKind::kDiffersBetweenSchedules;
  });
  for (const VettedCase::Outputs& one : vetted.outputs)
    if (one.hash != vetted.outputs.front().hash)
      add(vetted.findings, without_place(FindingKind::kDiffersBetweenSchedules, kDiffers),
          one.seed);
}

}  // namespace

void vet_schedules(TrialValidation& check, const VetRequest& request, VettedCase& vetted) {
  bool right = false;
  std::uint64_t seed = request.first_seed;
  for (std::uint64_t i = 0; i < request.schedules; ++i) {
    seed = request.first_seed + i;
    ValidationReport report = check.vet(seed);
    if (report.status == Status::kInvalid) {
      vetted.status = report.status;
      vetted.reason = std::move(report.reason);
      vetted.advice = std::move(report.detail.advice);
      return;  // no schedule makes the launch possible
    }
    ++vetted.schedules;
    vetted.passed = vetted.passed || report.launch.passed_left_out;
    if (vetted.modelled_us == 0 && report.launch.status == Status::kOk)
      vetted.modelled_us = report.launch.modelled_us;
    const bool explained = !report.launch.hazards.empty();
    for (Finding& hazard : report.launch.hazards) {
      if (hazard.kind == FindingKind::kDoesNotEnd) {
        vetted.undecided = std::move(hazard.message);
      } else {
        add(vetted.findings, std::move(hazard), seed);
      }
    }
    if (!vetted.undecided.empty()) return;  // others would take as long
    right = report.status == Status::kOk;
    if (report.status == Status::kWrongResult) {
      add(vetted.findings, without_place(FindingKind::kWrongResult, report.reason), seed);
    } else if (report.status != Status::kOk && !explained) {
      add(vetted.findings, without_place(FindingKind::kLaunchFailed, report.reason), seed);
    } else if (report.status == Status::kOk) {
      if (const auto hash = check.output_hash()) vetted.outputs.push_back({seed, *hash});
      if (report.launch.same_under_all_schedules) {
        vetted.spared += request.schedules - i - 1;
        break;
      }
    }
    if (request.without && vetted.objects()) return;
  }
  compare_outputs(vetted);
  if (right && vetted.findings.empty()) vet_again(check, seed, vetted);
}

void add_schedules(VettedCase& vetted, VettedCase further) {
  if (vetted.status != Status::kOk || !vetted.undecided.empty()) return;
  if (further.status != Status::kOk) {
    vetted.status = further.status;
    vetted.reason = std::move(further.reason);
    vetted.advice = std::move(further.advice);
    return;
  }
  vetted.schedules += further.schedules;
  vetted.spared += further.spared;
  for (const VetFinding& one : further.findings)
    for (const std::uint64_t seed : one.seeds) add(vetted.findings, one.finding, seed);
  vetted.outputs.insert(vetted.outputs.end(), further.outputs.begin(), further.outputs.end());
  vetted.undecided = std::move(further.undecided);
  vetted.passed = vetted.passed || further.passed;
  if (vetted.modelled_us == 0) vetted.modelled_us = further.modelled_us;
  compare_outputs(vetted);
}

// Serialization of a vetting for the pipe between processes.

using nlohmann::json;

WARPWRIGHT_CODEC(VetRequest, first_seed, schedules, instructions, trust_cas_reads, contract,
                 list_sites, without)

void to_json(json& to, const VetFinding& one) {
  to = {{"hazard", one.finding}, {"seeds", one.seeds}};
}

void from_json(const json& from, VetFinding& one) {
  from.at("hazard").get_to(one.finding);
  from.at("seeds").get_to(one.seeds);
}

void to_json(json& to, const VettedCase::Outputs& outputs) { to = {outputs.seed, outputs.hash}; }

void from_json(const json& from, VettedCase::Outputs& outputs) {
  from.at(0).get_to(outputs.seed);
  from.at(1).get_to(outputs.hash);
}

void to_json(json& to, const VettedCase& vetted) {
  to = {{"name", vetted.name},
        {"problem_text", vetted.problem_text},
        {"reason", vetted.reason},
        {"advice", vetted.advice},
        {"status", status_name(vetted.status)},
        {"schedules", vetted.schedules},
        {"spared", vetted.spared},
        {"findings", vetted.findings},
        {"undecided", vetted.undecided},
        {"outputs", vetted.outputs},
        {"sites", vetted.sites},
        {"passed", vetted.passed},
        {"modelled_us", vetted.modelled_us},
        {"remarks", vetted.contract.remarks},
        {"refuted", vetted.contract.refuted}};
}

void from_json(const json& from, VettedCase& vetted) {
  from.at("name").get_to(vetted.name);
  from.at("problem_text").get_to(vetted.problem_text);
  from.at("reason").get_to(vetted.reason);
  from.at("advice").get_to(vetted.advice);
  const std::optional<Status> status = parse_status(from.at("status").get<std::string>());
  if (!status) throw user_error("a vetted case has an unknown status");
  vetted.status = *status;
  from.at("schedules").get_to(vetted.schedules);
  from.at("spared").get_to(vetted.spared);
  from.at("findings").get_to(vetted.findings);
  from.at("undecided").get_to(vetted.undecided);
  from.at("outputs").get_to(vetted.outputs);
  from.at("sites").get_to(vetted.sites);
  from.at("passed").get_to(vetted.passed);
  from.at("modelled_us").get_to(vetted.modelled_us);
  from.at("remarks").get_to(vetted.contract.remarks);
  from.at("refuted").get_to(vetted.contract.refuted);
}

void to_json(json& to, const VetOutcome& outcome) { to = {{"cases", outcome.cases}}; }

void from_json(const json& from, VetOutcome& outcome) { from.at("cases").get_to(outcome.cases); }

}  // namespace warpwright
