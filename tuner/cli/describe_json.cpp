// The JSON of `warpwright describe`. Ranges are [first, end), warps are lists of numbers, and roles
// and phases are indices into the lists of their launch.
#include <nlohmann/json.hpp>

#include "cli/describe_text.h"
#include "records/status.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

Json activities_json(const emu::ActivityCounts& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < emu::kActivities; ++i)
    if (const auto activity = static_cast<emu::Activity>(i); counts[activity] != 0)
      json[activity_key(activity)] = counts[activity];
  return json;
}

Json warps_json(std::uint32_t warps) {
  Json json = Json::array();
  for (int warp = 0; warp < 32; ++warp)
    if ((warps >> warp & 1) != 0) json.push_back(warp);
  return json;
}

Json places_json(const std::vector<SourceLocation>& places) {
  Json json = Json::array();
  for (const SourceLocation& place : places)
    json.push_back({{"file", place.file}, {"line", place.line}});
  return json;
}

// null for the warps of other blocks.
Json role_json(std::size_t role) { return role == emu::kOtherBlocks ? Json(nullptr) : Json(role); }

Json crossings_json(const std::vector<emu::Crossing>& crossings) {
  Json json = Json::array();
  for (const emu::Crossing& crossing : crossings)
    json.push_back({{"role", role_json(crossing.role)},
                    {"count", crossing.count},
                    {"places", places_json(crossing.places)}});
  return json;
}

Json ranges_json(const std::vector<emu::ByteRange>& ranges) {
  Json json = Json::array();
  for (const emu::ByteRange& range : ranges) json.push_back({range.first, range.end});
  return json;
}

Json region_json(const ArrayRegion& region) {
  return {{"bytes", region.bytes},
          {"pieces", region.ranges},
          {"box", region.box},
          {"fills_box", region.fills_box}};
}

Json arguments_json(const std::vector<ArgumentUse>& arguments) {
  Json json = Json::array();
  for (const ArgumentUse& use : arguments)
    json.push_back({{"name", use.name},
                    {"role", use.role},
                    {"dtype", use.dtype},
                    {"shape", use.shape},
                    {"axes", use.shape_text},
                    {"bytes", use.bytes},
                    {"read", use.read},
                    {"distinct_read", use.distinct_read},
                    {"written", use.written},
                    {"distinct_written", use.distinct_written},
                    {"atomics", use.atomics},
                    {"block_reads", region_json(use.block_reads)},
                    {"block_writes", region_json(use.block_writes)}});
  return json;
}

Json roles_json(const std::vector<emu::Role>& roles) {
  Json json = Json::array();
  for (const emu::Role& role : roles) {
    Json partial = Json::object();
    for (const emu::Role::Partial& part : role.partial)
      partial[activity_key(part.activity)] = warps_json(part.warps);
    Json& one = json.emplace_back(Json{{"name", role.name},
                                       {"warps", warps_json(role.warps)},
                                       {"activities", activities_json(role.activities)},
                                       {"only_by_warps", std::move(partial)}});
    if (role.registers != 0) one["registers_at_end"] = role.registers;
  }
  return json;
}

const char* kind_name(emu::BarrierUse::Kind kind) {
  switch (kind) {
    case emu::BarrierUse::Kind::kBlock:
      return "block";
    case emu::BarrierUse::Kind::kNamed:
      return "named";
    case emu::BarrierUse::Kind::kCluster:
      return "cluster";
    default:
      return "mbarriers";
  }
}

Json barriers_json(const std::vector<emu::BarrierUse>& barriers) {
  Json json = Json::array();
  for (const emu::BarrierUse& use : barriers) {
    Json& one = json.emplace_back(Json{{"kind", kind_name(use.kind)},
                                       {"expected", use.expected},
                                       {"completions", use.completions},
                                       {"arrivals", crossings_json(use.arrivals)},
                                       {"waits", crossings_json(use.waits)}});
    if (use.kind == emu::BarrierUse::Kind::kMbarriers) {
      one["addresses"] = use.objects;
      one["copied_bytes"] = use.copied_bytes;
    } else if (use.kind != emu::BarrierUse::Kind::kCluster) {
      one["id"] = use.id;
    }
  }
  return json;
}

Json copies_json(const std::vector<emu::CopyBuffer>& copies) {
  Json json = Json::array();
  for (const emu::CopyBuffer& buffer : copies) {
    Json issuers = Json::array();
    for (const std::size_t role : buffer.issuers) issuers.push_back(role_json(role));
    Json stages = Json::array();
    for (const emu::CopyBuffer::Stage& stage : buffer.stages)
      stages.push_back(
          {{"ranges", ranges_json(stage.ranges)}, {"bytes", stage.bytes}, {"fills", stage.fills}});
    json.push_back({{"by", activity_key(buffer.by)},
                    {"issuers", std::move(issuers)},
                    {"stages", std::move(stages)},
                    {"barriers", buffer.barriers ? Json(*buffer.barriers) : Json(nullptr)}});
  }
  return json;
}

Json shared_json(const std::vector<emu::SharedRange>& ranges) {
  Json json = Json::array();
  for (const emu::SharedRange& range : ranges) {
    Json uses = Json::array();
    for (const emu::SharedUse& use : range.uses)
      uses.push_back({{"way", way_name(use.way)},
                      {"writes", writes(use.way)},
                      {"role", role_json(use.role)},
                      {"phases", use.phases}});
    json.push_back({{"range", {range.first, range.end}},
                    {"array", range.symbol},
                    {"offset", range.offset},
                    {"accessed", range.touched},
                    {"written", range.written},
                    {"read", range.read},
                    {"mixed", range.mixed},
                    {"uses", std::move(uses)}});
  }
  return json;
}

Json phases_json(const std::vector<emu::Phase>& phases) {
  Json json = Json::array();
  for (const emu::Phase& phase : phases)
    json.push_back({{"after", places_json(phase.after)},
                    {"until", places_json(phase.until)},
                    {"until_end", phase.until_end},
                    {"times", phase.times},
                    {"activities", activities_json(phase.activities)},
                    {"global_read", phase.global_read},
                    {"global_written", phase.global_written},
                    {"shared_read", phase.shared_read},
                    {"shared_written", phase.shared_written}});
  return json;
}

Json launch_json(const ProfiledLaunch& launch) {
  const emu::Observation& seen = *launch.observation;
  const emu::BlockObservation& block = seen.block;
  return {{"entry", launch.entry},
          {"grid", launch.grid},
          {"block", launch.block},
          {"cluster", launch.cluster},
          {"registers", launch.resources.registers},
          {"dynamic_shared", launch.dynamic_shared},
          {"static_shared", seen.shared_bytes - launch.dynamic_shared},
          {"blocks", seen.blocks},
          {"least_instructions", seen.least_instructions},
          {"most_instructions", seen.most_instructions},
          {"arrays", arguments_json(launch.arguments)},
          {"shown",
           {{"index", block.index},
            {"warps", block.warps},
            {"instructions", block.instructions},
            {"roles", roles_json(block.roles)},
            {"barriers", barriers_json(block.barriers)},
            {"copies", copies_json(block.copies)},
            {"shared", shared_json(block.shared)},
            {"phases", phases_json(block.phases)}}}};
}

}  // namespace

nlohmann::json description_json(const DescriptionHeading& heading,
                                const Configuration& configuration, const Profile& profile) {
  Json launches = Json::array();
  for (const ProfiledLaunch& launch : profile.launches)
    if (launch.observation != nullptr) launches.push_back(launch_json(launch));
  return {{"kernel", heading.kernel},
          {"summary", heading.summary},
          {"variant", configuration.variant},
          {"values", configuration.values},
          {"problem", heading.problem},
          {"device", heading.device},
          {"device_name", heading.device_name},
          {"observed_on", "emulator"},
          {"status", status_name(profile.status)},
          {"reason", profile.reason},
          {"launches", std::move(launches)}};
}

}  // namespace warpwright
