#include <nlohmann/json.hpp>

#include "trial/sequence/sequence.h"

namespace warpwright {
namespace {

nlohmann::json optional_json(const std::optional<TimeEstimate>& time) {
  return time ? nlohmann::json(*time) : nlohmann::json(nullptr);
}

std::optional<TimeEstimate> optional_time(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<TimeEstimate>();
}

}  // namespace

void to_json(nlohmann::json& json, const SequenceInput& input) {
  json = {{"argument", input.argument},
          {"step", input.step},
          {"output", input.output},
          {"first", input.first}};
}

void from_json(const nlohmann::json& json, SequenceInput& input) {
  json.at("argument").get_to(input.argument);
  json.at("step").get_to(input.step);
  json.at("output").get_to(input.output);
  json.at("first").get_to(input.first);
}

void to_json(nlohmann::json& json, const SequenceResult& result) {
  json = {{"status", status_name(result.status)},
          {"reason", result.reason},
          {"device_lost", result.device_lost},
          {"steps", result.steps},
          {"whole", optional_json(result.whole)},
          {"hot", optional_json(result.hot)},
          {"without_hot", result.without_hot},
          {"launches", result.launches},
          {"gap_us", result.gap_us ? nlohmann::json(*result.gap_us) : nlohmann::json(nullptr)}};
}

void from_json(const nlohmann::json& json, SequenceResult& result) {
  result.status = parse_status(json.at("status").get<std::string>()).value_or(Status::kCrashed);
  json.at("reason").get_to(result.reason);
  json.at("device_lost").get_to(result.device_lost);
  json.at("steps").get_to(result.steps);
  result.whole = optional_time(json.at("whole"));
  result.hot = optional_time(json.at("hot"));
  json.at("without_hot").get_to(result.without_hot);
  json.at("launches").get_to(result.launches);
  if (!json.at("gap_us").is_null()) result.gap_us = json.at("gap_us").get<double>();
}

}  // namespace warpwright
