#include "core/sync_site.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

nlohmann::json location_json(const SourceLocation& location) {
  return {{"file", location.file}, {"line", location.line}, {"column", location.column}};
}

QuotedLocation read_location(const nlohmann::json& json) {
  QuotedLocation location;
  json.at("file").get_to(location.file);
  json.at("line").get_to(location.line);
  json.at("column").get_to(location.column);
  return location;
}

nlohmann::json locations_json(const std::vector<QuotedLocation>& locations) {
  nlohmann::json list = nlohmann::json::array();
  for (const QuotedLocation& one : locations) list.push_back(location_json(one));
  return list;
}

std::vector<QuotedLocation> read_locations(const nlohmann::json& json) {
  std::vector<QuotedLocation> locations;
  for (const nlohmann::json& one : json) locations.push_back(read_location(one));
  return locations;
}

bool same_place(const SourceLocation& a, const SourceLocation& b) { return a == b; }

}  // namespace

void to_json(nlohmann::json& json, const SyncSite& site) {
  json = {{"opcode", site.opcode},
          {"where", location_json(site.where)},
          {"callers", locations_json(site.callers)},
          {"instruction", site.instruction},
          {"also", locations_json(site.also)},
          {"instructions", site.instructions},
          {"untestable", site.untestable}};
}

void from_json(const nlohmann::json& json, SyncSite& site) {
  json.at("opcode").get_to(site.opcode);
  site.where = read_location(json.at("where"));
  site.callers = read_locations(json.at("callers"));
  json.at("instruction").get_to(site.instruction);
  site.also = read_locations(json.at("also"));
  json.at("instructions").get_to(site.instructions);
  json.at("untestable").get_to(site.untestable);
}

bool same_site(const SyncSite& a, const SyncSite& b) {
  return a.opcode == b.opcode && same_place(a.where, b.where) &&
         std::equal(a.callers.begin(), a.callers.end(), b.callers.begin(), b.callers.end(),
                    same_place);
}

}  // namespace warpwright
