// Serialization of a vetting for the pipe between processes.
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "trial/validation/vet_schedules.h"

namespace warpwright {

using nlohmann::json;

void to_json(json& to, const VetRequest& request) {
  to = {{"first_seed", request.first_seed},
        {"schedules", request.schedules},
        {"instructions", request.instructions},
        {"trust_cas_reads", request.trust_cas_reads},
        {"contract", request.contract}};
}

void from_json(const json& from, VetRequest& request) {
  from.at("first_seed").get_to(request.first_seed);
  from.at("schedules").get_to(request.schedules);
  from.at("instructions").get_to(request.instructions);
  from.at("trust_cas_reads").get_to(request.trust_cas_reads);
  from.at("contract").get_to(request.contract);
}

void to_json(json& to, const VetFinding& finding) {
  to = {{"hazard", finding.hazard}, {"seeds", finding.seeds}};
}

void from_json(const json& from, VetFinding& finding) {
  from.at("hazard").get_to(finding.hazard);
  from.at("seeds").get_to(finding.seeds);
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
  from.at("remarks").get_to(vetted.contract.remarks);
  from.at("refuted").get_to(vetted.contract.refuted);
}

void to_json(json& to, const VetOutcome& outcome) { to = {{"cases", outcome.cases}}; }

void from_json(const json& from, VetOutcome& outcome) { from.at("cases").get_to(outcome.cases); }

}  // namespace warpwright
