#include "records/trial_measurement.h"

#include <cmath>
#include <limits>

#include "records/codec.h"

namespace warpwright {
namespace {

using nlohmann::json;

// JSON has no infinity; null stands for it.
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

double number(const json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end()) return 0;
  return found->is_number() ? found->get<double>() : std::numeric_limits<double>::infinity();
}

}  // namespace

void to_json(json& to, const OutputError& error) {
  to = {{"output", error.output},
        {"checked", error.checked},
        {"wrong", error.wrong},
        {"max_abs", number(error.max_abs)},
        {"max_rel", number(error.max_rel)},
        {"worst_ratio", number(error.worst_ratio)}};
}

void from_json(const json& from, OutputError& error) {
  read_member(from, "output", error.output);
  read_member(from, "checked", error.checked);
  read_member(from, "wrong", error.wrong);
  error.max_abs = number(from, "max_abs");
  error.max_rel = number(from, "max_rel");
  error.worst_ratio = number(from, "worst_ratio");
}

WARPWRIGHT_STORED_CODEC(TrialFinding, kind, text)

void to_json(nlohmann::json& json, const TrialMeasurement& measurement) {
  json = {{"anchor_drift", json_or_null(measurement.anchor_drift)},
          {"validity", json_or_null(measurement.validity)}};
  if (!measurement.warnings.empty()) json["warnings"] = measurement.warnings;
  if (!measurement.hazards.empty()) json["hazards"] = measurement.hazards;
  if (measurement.untested) json["untested"] = *measurement.untested;
  if (measurement.case_seconds) json["case_seconds"] = *measurement.case_seconds;
  if (measurement.input_seconds) json["input_seconds"] = *measurement.input_seconds;
  if (measurement.units) json["units"] = *measurement.units;
  if (measurement.energy_mj_per_launch)
    json["energy_mj_per_launch"] = *measurement.energy_mj_per_launch;
  if (measurement.power_w) json["power_w"] = *measurement.power_w;
  if (measurement.failure) json["failure"] = *measurement.failure;
}

void from_json(const nlohmann::json& json, TrialMeasurement& measurement) {
  read_member(json, "anchor_drift", measurement.anchor_drift);
  read_member(json, "validity", measurement.validity);
  read_member(json, "warnings", measurement.warnings);
  read_member(json, "hazards", measurement.hazards);
  read_member(json, "untested", measurement.untested);
  read_member(json, "case_seconds", measurement.case_seconds);
  read_member(json, "input_seconds", measurement.input_seconds);
  read_member(json, "units", measurement.units);
  read_member(json, "energy_mj_per_launch", measurement.energy_mj_per_launch);
  read_member(json, "power_w", measurement.power_w);
  read_member(json, "failure", measurement.failure);
}

}  // namespace warpwright
