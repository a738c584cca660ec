#include "cli/profile_text.h"

#include <fmt/format.h>

#include "core/status.h"

namespace warpwright {
namespace {

// What is 0 is left out.
nlohmann::json counters_json(const emu::Counters& counters) {
  nlohmann::json json = nlohmann::json::object();
  for (const emu::CounterField& field : emu::kCounterFields)
    if (counters.*field.member != 0) json[field.name] = counters.*field.member;
  return json;
}

}  // namespace

std::string profile_text(const ProfileHeading& heading, const Configuration& configuration,
                         const Profile& profile, std::size_t lines) {
  (void)lines;
  return fmt::format("{} {} {} modelled {}\n", heading.kernel, heading.problem,
                     configuration.to_string(), profile.modelled_us());
}

nlohmann::json profile_json(const Configuration& configuration, const Profile& profile) {
  nlohmann::json json = {{"configuration_text", configuration.to_string()},
                         {"variant", configuration.variant},
                         {"values", configuration.values},
                         {"status", status_name(profile.status)},
                         {"reason", profile.reason},
                         {"modelled_us", profile.modelled_us()},
                         {"launches", nlohmann::json::array()}};
  for (const ProfiledLaunch& launch : profile.launches) {
    nlohmann::json lines = nlohmann::json::array();
    for (const emu::LineCounts& line : launch.lines)
      lines.push_back(
          {{"file", line.file}, {"line", line.line}, {"counters", counters_json(line.counters)}});
    json["launches"].push_back({{"entry", launch.entry},
                                {"grid", launch.grid},
                                {"block", launch.block},
                                {"dynamic_shared", launch.dynamic_shared},
                                {"registers", launch.resources.registers},
                                {"static_shared", launch.resources.static_shared},
                                {"spill_stores", launch.resources.spill_stores},
                                {"spill_loads", launch.resources.spill_loads},
                                {"stack", launch.resources.stack},
                                {"modelled_us", launch.modelled.total_us},
                                {"modelled_bound", launch.modelled.bound},
                                {"counters", counters_json(launch.counters)},
                                {"lines", std::move(lines)}});
  }
  return json;
}

nlohmann::json heading_json(const ProfileHeading& heading, nlohmann::json profiles) {
  return {{"kernel", heading.kernel},
          {"problem", heading.problem},
          {"device", heading.device},
          {"device_name", heading.device_name},
          {"times", "modelled"},
          {"sample_blocks", heading.sample_blocks},
          {"profiles", std::move(profiles)}};
}

}  // namespace warpwright
