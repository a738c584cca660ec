#include "device/launch_hazard.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace warpwright {
namespace {

std::string place_text(const HazardPlace& place) {
  return place.file.empty() ? "an unknown line" : fmt::format("{}:{}", place.file, place.line);
}

}  // namespace

void to_json(nlohmann::json& json, const HazardPlace& place) {
  nlohmann::json callers = nlohmann::json::array();
  for (const SourceLocation& call : place.callers)
    callers.push_back({{"file", call.file}, {"line", call.line}});
  json = {{"what", place.what},   {"file", place.file},
          {"line", place.line},   {"callers", std::move(callers)},
          {"block", place.block}, {"thread", place.thread}};
}

void from_json(const nlohmann::json& json, HazardPlace& place) {
  json.at("what").get_to(place.what);
  json.at("file").get_to(place.file);
  json.at("line").get_to(place.line);
  place.callers.clear();
  for (const nlohmann::json& call : json.at("callers"))
    place.callers.push_back({call.at("file").get<std::string>(), call.at("line").get<int>(), 0});
  json.at("block").get_to(place.block);
  json.at("thread").get_to(place.thread);
}

void to_json(nlohmann::json& json, const LaunchHazard& hazard) {
  json = {{"kind", hazard.kind},
          {"is_fault", hazard.is_fault},
          {"has_no_place", hazard.has_no_place},
          {"message", hazard.message},
          {"unplaced", hazard.unplaced},
          {"advice", hazard.advice},
          {"here", hazard.here},
          {"other", hazard.other ? nlohmann::json(*hazard.other) : nlohmann::json(nullptr)},
          {"occurrences", hazard.occurrences}};
}

void from_json(const nlohmann::json& json, LaunchHazard& hazard) {
  json.at("kind").get_to(hazard.kind);
  json.at("is_fault").get_to(hazard.is_fault);
  hazard.has_no_place = json.value("has_no_place", false);
  json.at("message").get_to(hazard.message);
  json.at("unplaced").get_to(hazard.unplaced);
  json.at("advice").get_to(hazard.advice);
  json.at("here").get_to(hazard.here);
  hazard.other.reset();
  if (!json.at("other").is_null()) hazard.other = json.at("other").get<HazardPlace>();
  json.at("occurrences").get_to(hazard.occurrences);
}

bool voids_times(const LaunchHazard& hazard) {
  return hazard.kind == kStateKept || hazard.kind == kNoInputRead ||
         hazard.kind == kOutputNotWritten;
}

bool same_mistake(const LaunchHazard& a, const LaunchHazard& b) {
  const auto key = [](const LaunchHazard& hazard) {
    const HazardPlace other = hazard.other.value_or(HazardPlace{});
    // A list, so that copies are compared and kept.
    const auto [first, second] = std::minmax(
        {std::tuple(hazard.here.file, hazard.here.line), std::tuple(other.file, other.line)});
    return std::tuple(hazard.kind, first, second);
  };
  return key(a) == key(b);
}

const LaunchHazard& first_cause(const std::vector<LaunchHazard>& hazards) {
  const auto conflict =
      std::find_if(hazards.begin(), hazards.end(),
                   [](const LaunchHazard& hazard) { return hazard.other.has_value(); });
  return conflict == hazards.end() ? hazards.front() : *conflict;
}

std::string describe(const LaunchHazard& hazard) {
  std::string text = hazard.kind;
  if (!hazard.has_no_place) text += " at " + place_text(hazard.here);
  if (hazard.other) text += " with " + place_text(*hazard.other);
  text += ": " + hazard.message;
  if (!hazard.advice.empty()) text += "; fix: " + hazard.advice;
  return text;
}

}  // namespace warpwright
