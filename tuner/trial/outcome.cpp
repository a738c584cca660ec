#include "trial/outcome.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "trial/finals.h"
#include "trial/gate.h"
#include "trial/vet.h"

namespace warpwright {
namespace {

using nlohmann::json;

// JSON has no infinity; errors of wrong results may be infinite. null stands for it.
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

double number(const json& from) {
  return from.is_null() ? std::numeric_limits<double>::infinity() : from.get<double>();
}

json error_json(const OutputError& error) {
  return {{"output", error.output},
          {"checked", error.checked},
          {"wrong", error.wrong},
          {"max_abs", number(error.max_abs)},
          {"max_rel", number(error.max_rel)},
          {"worst_ratio", number(error.worst_ratio)}};
}

OutputError read_error(const json& from) {
  OutputError error;
  from.at("output").get_to(error.output);
  from.at("checked").get_to(error.checked);
  from.at("wrong").get_to(error.wrong);
  error.max_abs = number(from.at("max_abs"));
  error.max_rel = number(from.at("max_rel"));
  error.worst_ratio = number(from.at("worst_ratio"));
  return error;
}

json time_json(const TimeEstimate& time) {
  return {{"median_us", time.median_us},        {"ci_low_us", time.ci_low_us},
          {"ci_high_us", time.ci_high_us},      {"floor_us", time.floor_us},
          {"modelled", time.modelled},          {"protocol", time.protocol},
          {"raw_median_us", time.raw_median_us}};
}

TimeEstimate read_time(const json& from) {
  TimeEstimate time;
  from.at("median_us").get_to(time.median_us);
  from.at("ci_low_us").get_to(time.ci_low_us);
  from.at("ci_high_us").get_to(time.ci_high_us);
  from.at("floor_us").get_to(time.floor_us);
  from.at("modelled").get_to(time.modelled);
  from.at("protocol").get_to(time.protocol);
  from.at("raw_median_us").get_to(time.raw_median_us);
  return time;
}

json validity_json(const Outcome::Validity& validity) {
  return {{"blocks", validity.blocks},
          {"tagged", validity.tagged},
          {"retaken", validity.retaken},
          {"sm_clock_min_mhz", validity.sm_clock_min_mhz},
          {"sm_clock_max_mhz", validity.sm_clock_max_mhz},
          {"throttle", validity.throttle},
          {"power_w", validity.power_w},
          {"temperature_c", validity.temperature_c},
          {"other_processes", validity.other_processes}};
}

Outcome::Validity read_validity(const json& from) {
  Outcome::Validity validity;
  from.at("blocks").get_to(validity.blocks);
  from.at("tagged").get_to(validity.tagged);
  from.at("retaken").get_to(validity.retaken);
  from.at("sm_clock_min_mhz").get_to(validity.sm_clock_min_mhz);
  from.at("sm_clock_max_mhz").get_to(validity.sm_clock_max_mhz);
  from.at("throttle").get_to(validity.throttle);
  from.at("power_w").get_to(validity.power_w);
  from.at("temperature_c").get_to(validity.temperature_c);
  from.at("other_processes").get_to(validity.other_processes);
  return validity;
}

json resources_json(const KernelResources& resources) {
  return {{"entry", resources.entry},
          {"registers", resources.registers},
          {"static_shared", resources.static_shared},
          {"constant", resources.constant},
          {"stack", resources.stack},
          {"spill_stores", resources.spill_stores},
          {"spill_loads", resources.spill_loads}};
}

KernelResources read_resources(const json& from) {
  KernelResources resources;
  from.at("entry").get_to(resources.entry);
  from.at("registers").get_to(resources.registers);
  from.at("static_shared").get_to(resources.static_shared);
  from.at("constant").get_to(resources.constant);
  from.at("stack").get_to(resources.stack);
  from.at("spill_stores").get_to(resources.spill_stores);
  from.at("spill_loads").get_to(resources.spill_loads);
  return resources;
}

}  // namespace

void to_json(json& to, const Outcome& outcome) {
  json errors = json::array();
  for (const OutputError& error : outcome.errors) errors.push_back(error_json(error));
  json resources = json::array();
  for (const KernelResources& entry : outcome.resources) resources.push_back(resources_json(entry));
  to = {{"status", status_name(outcome.status)},
        {"reason", outcome.reason},
        {"time", outcome.time ? time_json(*outcome.time) : json(nullptr)},
        {"at_least_us", outcome.at_least_us ? json(*outcome.at_least_us) : json(nullptr)},
        {"samples_us", outcome.samples_us},
        {"validity", validity_json(outcome.validity)},
        {"anchor_drift", number(outcome.anchor_drift)},
        {"same_as", outcome.same_as},
        {"errors", std::move(errors)},
        {"resources", std::move(resources)},
        {"counters", outcome.counters},
        {"cubin_hash", outcome.cubin_hash},
        {"compile_seconds", outcome.compile_seconds},
        {"validate_seconds", outcome.validate_seconds},
        {"measure_seconds", outcome.measure_seconds},
        {"sm_clock_mhz", outcome.sm_clock_mhz},
        {"anchor_moved", outcome.anchor_moved},
        {"worker_lost", outcome.worker_lost}};
  if (outcome.finals) to["finals"] = *outcome.finals;
  if (outcome.gate) to["gate"] = *outcome.gate;
  if (outcome.vet) to["vet"] = *outcome.vet;
}

void from_json(const json& from, Outcome& outcome) {
  outcome = Outcome{};
  const auto name = from.at("status").get<std::string>();
  const std::optional<Status> status = parse_status(name);
  if (!status) throw user_error("an outcome has the unknown status '" + name + "'");
  outcome.status = *status;
  from.at("reason").get_to(outcome.reason);
  if (!from.at("time").is_null()) outcome.time = read_time(from.at("time"));
  if (!from.at("at_least_us").is_null()) outcome.at_least_us = from.at("at_least_us").get<double>();
  from.at("samples_us").get_to(outcome.samples_us);
  outcome.validity = read_validity(from.at("validity"));
  if (!from.at("anchor_drift").is_null()) from.at("anchor_drift").get_to(outcome.anchor_drift);
  from.at("same_as").get_to(outcome.same_as);
  for (const json& error : from.at("errors")) outcome.errors.push_back(read_error(error));
  for (const json& entry : from.at("resources")) outcome.resources.push_back(read_resources(entry));
  from.at("counters").get_to(outcome.counters);
  from.at("cubin_hash").get_to(outcome.cubin_hash);
  from.at("compile_seconds").get_to(outcome.compile_seconds);
  from.at("validate_seconds").get_to(outcome.validate_seconds);
  from.at("measure_seconds").get_to(outcome.measure_seconds);
  from.at("sm_clock_mhz").get_to(outcome.sm_clock_mhz);
  from.at("anchor_moved").get_to(outcome.anchor_moved);
  from.at("worker_lost").get_to(outcome.worker_lost);
  if (from.contains("finals"))
    outcome.finals = std::make_shared<FinalsOutcome>(from.at("finals").get<FinalsOutcome>());
  outcome.vet.reset();
  if (from.contains("vet"))
    outcome.vet = std::make_shared<VetOutcome>(from.at("vet").get<VetOutcome>());
  if (from.contains("gate"))
    outcome.gate = std::make_shared<GateOutcome>(from.at("gate").get<GateOutcome>());
}

std::string measurement_json(const Outcome& outcome) {
  const json validity = outcome.validity.blocks > 0 ? validity_json(outcome.validity) : json();
  const json drift = number(outcome.anchor_drift);
  if (validity.is_null() && drift.is_null()) return "";
  return json{{"validity", validity}, {"anchor_drift", drift}}.dump();
}

}  // namespace warpwright
