#include "trial/outcome_codec.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "trial/timing/finals.h"
#include "trial/timing/gate.h"
#include "trial/validation/vet_schedules.h"

namespace warpwright {
namespace {

using nlohmann::json;

// JSON has no NaN; null stands for it.
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

}  // namespace

void to_json(json& to, const Outcome& outcome) {
  to = {{"status", status_name(outcome.status)},
        {"reason", outcome.reason},
        {"detail", outcome.detail},
        {"time", outcome.time ? json(*outcome.time) : json(nullptr)},
        {"samples_us", outcome.samples_us},
        {"validity", outcome.validity},
        {"anchor_drift", number(outcome.anchor_drift)},
        {"warnings", outcome.warnings},
        {"same_as", outcome.same_as},
        {"errors", outcome.errors},
        {"hazards", outcome.hazards},
        {"resources", outcome.resources},
        {"counters", outcome.counters},
        {"cubin_hash", outcome.cubin_hash},
        {"case_seconds", outcome.case_seconds},
        {"input_seconds", outcome.input_seconds},
        {"anchor_moved", outcome.anchor_moved},
        {"worker_lost", outcome.worker_lost}};
  for (const TrialFigure& figure : kTrialFigures)
    if (const auto value = value_of(outcome, figure)) to[figure.name] = *value;
  if (outcome.energy_mj_per_launch) to["energy_mj_per_launch"] = *outcome.energy_mj_per_launch;
  if (outcome.power_w) to["power_w"] = *outcome.power_w;
  if (outcome.remarks) to["remarks"] = *outcome.remarks;
  if (outcome.untested) to["untested"] = *outcome.untested;
  if (outcome.finals()) to["finals"] = *outcome.finals();
  if (outcome.gate()) to["gate"] = *outcome.gate();
  if (outcome.vet()) to["vet"] = *outcome.vet();
}

void from_json(const json& from, Outcome& outcome) {
  outcome = Outcome{};
  const auto name = from.at("status").get<std::string>();
  const std::optional<Status> status = parse_status(name);
  if (!status) throw user_error("an outcome has the unknown status '" + name + "'");
  outcome.status = *status;
  from.at("reason").get_to(outcome.reason);
  from.at("detail").get_to(outcome.detail);
  if (!from.at("time").is_null()) outcome.time = from.at("time").get<TimeEstimate>();
  for (const TrialFigure& figure : kTrialFigures) {
    const auto value = from.find(figure.name);
    if (value != from.end()) set_value(outcome, figure, value->get<double>());
  }
  from.at("samples_us").get_to(outcome.samples_us);
  from.at("validity").get_to(outcome.validity);
  from.at("warnings").get_to(outcome.warnings);
  if (!from.at("anchor_drift").is_null()) from.at("anchor_drift").get_to(outcome.anchor_drift);
  from.at("same_as").get_to(outcome.same_as);
  from.at("errors").get_to(outcome.errors);
  from.at("hazards").get_to(outcome.hazards);
  from.at("resources").get_to(outcome.resources);
  from.at("counters").get_to(outcome.counters);
  from.at("cubin_hash").get_to(outcome.cubin_hash);
  from.at("case_seconds").get_to(outcome.case_seconds);
  from.at("input_seconds").get_to(outcome.input_seconds);
  from.at("anchor_moved").get_to(outcome.anchor_moved);
  from.at("worker_lost").get_to(outcome.worker_lost);
  if (from.contains("energy_mj_per_launch"))
    outcome.energy_mj_per_launch = from.at("energy_mj_per_launch").get<double>();
  if (from.contains("power_w")) outcome.power_w = from.at("power_w").get<double>();
  if (from.contains("remarks"))
    outcome.remarks = from.at("remarks").get<std::vector<ContractRemark>>();
  if (from.contains("untested")) outcome.untested = from.at("untested").get<bool>();
  if (from.contains("finals"))
    outcome.found = std::make_shared<const FinalsOutcome>(from.at("finals").get<FinalsOutcome>());
  if (from.contains("gate"))
    outcome.found = std::make_shared<const GateOutcome>(from.at("gate").get<GateOutcome>());
  if (from.contains("vet"))
    outcome.found = std::make_shared<const VetOutcome>(from.at("vet").get<VetOutcome>());
}

}  // namespace warpwright
