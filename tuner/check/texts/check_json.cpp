// Writes the JSON of a regression gate.
#include <cmath>
#include <nlohmann/json.hpp>

#include "check/texts/check_text.h"

namespace warpwright {
namespace {

using nlohmann::json;

json finding_json(const Finding& finding) {
  json place = nullptr;
  if (finding.place) {
    place = {{"file", finding.place->file},
             {"line", finding.place->line},
             {"text", finding.place->text}};
  }
  return {{"kind", finding_name(finding.kind)},
          {"fails", fails_gate(finding.kind)},
          {"message", finding.message},
          {"place", place}};
}

json race_json(const CheckRace& race) {
  const auto share = [](double d) { return std::expm1(d); };
  return {{"change", share(race.median_d)},
          {"change_low", share(race.low)},
          {"change_high", share(race.high)},
          {"repeated_change", race.repeated_d ? json(share(*race.repeated_d)) : json(nullptr)},
          {"counts_from", race.delta},
          {"noise", race.noise},
          {"p", race.p},
          {"p_adjusted", race.p_adjusted},
          {"baseline_us", race.baseline_us},
          {"candidate_us", race.candidate_us},
          {"blocks", race.blocks},
          {"protocol", race.protocol}};
}

json entry_json(const CheckEntry& entry) {
  json findings = json::array();
  for (const Finding& finding : entry.findings) findings.push_back(finding_json(finding));
  json changes = json::array();
  for (const MetricChange& change : entry.changes) {
    changes.push_back({{"metric", change.name},
                       {"entry_point", change.of.empty() ? json(nullptr) : json(change.of)},
                       {"unit", change.unit},
                       {"before", change.before},
                       {"after", change.after}});
  }
  return {{"kernel", entry.kernel},
          {"problem_text", entry.problem_text},
          {"configuration_text", entry.configuration_text},
          {"verdict", check_state_name(entry.state)},
          {"fails", entry.fails()},
          {"findings", std::move(findings)},
          {"changes", std::move(changes)},
          {"race", entry.race ? race_json(*entry.race) : json(nullptr)},
          {"recorded", entry.recorded},
          {"seconds", entry.seconds}};
}

}  // namespace

json check_json(const CheckReport& report, bool allow_inconclusive) {
  json entries = json::array();
  for (const CheckEntry& entry : report.entries) entries.push_back(entry_json(entry));
  json verdicts = json::object();
  for (const CheckEntry& entry : report.entries) {
    json& count = verdicts[std::string(check_state_name(entry.state))];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return {{"check",
           {{"baseline", report.baseline},
            {"device", report.device_id},
            {"device_name", report.device_name},
            {"driver", report.driver},
            {"nvrtc", report.nvrtc},
            {"measured", report.measured},
            {"notes", report.notes},
            {"verdicts", std::move(verdicts)},
            {"failures", report.failures()},
            {"exit_code", report.exit_code(allow_inconclusive)},
            {"seconds", report.seconds}}},
          {"entries", std::move(entries)}};
}

}  // namespace warpwright
