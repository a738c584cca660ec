#include "check/texts/check_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "check/metric_rules.h"
#include "core/terminal_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/style.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

constexpr CheckState kStates[] = {CheckState::kRegression,   CheckState::kInconclusive,
                                  CheckState::kIncomparable, CheckState::kImproved,
                                  CheckState::kOk,           CheckState::kSame};

std::string heading(const CheckReport& report) {
  return fmt::format(
      "{} against {}\n{}, {}, {}{}, NVRTC {}: {}\n", "the kernels as they are",
      terminal_line(report.baseline), terminal_line(report.device_id),
      terminal_line(report.device_name), report.measured ? "driver " : "",
      terminal_line(report.driver), terminal_line(report.nvrtc),
      report.measured ? "raced against the baseline's sources, cold" : "counted, not timed");
}

// The state for display: a failing state other than REGRESSION gets an exclamation mark.
std::string verdict_of(const CheckEntry& entry) {
  const std::string state(check_state_name(entry.state));
  return entry.fails() && entry.state != CheckState::kRegression ? state + "!" : state;
}

void add_findings(const CheckEntry& entry, bool colour, std::string& text) {
  if (entry.findings.empty()) return;
  text += fmt::format(
      "\n{} {}\n", styled(verdict_of(entry), entry.fails() ? Style::kBold : Style::kPlain, colour),
      terminal_line(entry.title()));
  for (const GateFinding& finding : entry.findings) {
    std::string where;
    if (finding.place) {
      where = finding.place->line > 0
                  ? fmt::format("{}:{}: ", terminal_line(finding.place->file), finding.place->line)
                  : terminal_line(finding.place->file) + ": ";
    }
    text += fmt::format("  {}{}{}\n", where,
                        finding.kind == GateFindingKind::kRegression
                            ? std::string()
                            : std::string(gate_finding_name(finding.kind)) + ": ",
                        finding.message);
    if (finding.place && !finding.place->text.empty())
      text += fmt::format("      {}\n", styled(finding.place->text, Style::kDim, colour));
  }
}

using nlohmann::json;

json finding_json(const GateFinding& finding) {
  json place = nullptr;
  if (finding.place) {
    place = {{"file", finding.place->file},
             {"line", finding.place->line},
             {"text", finding.place->text}};
  }
  return {{"kind", gate_finding_name(finding.kind)},
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
  for (const GateFinding& finding : entry.findings) findings.push_back(finding_json(finding));
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

std::string check_change(const CheckEntry& entry) {
  if (entry.race) {
    return fmt::format("{:+.2f} %, {} -> {} µs", 100 * std::expm1(entry.race->median_d),
                       format_us(entry.race->baseline_us), format_us(entry.race->candidate_us));
  }
  if (!entry.changes.empty()) {
    const bool wants_growth = entry.state == CheckState::kRegression;
    const MetricChange* first = &entry.changes.front();
    for (const MetricChange& change : entry.changes) {
      if (change.grew() != wants_growth) continue;
      first = &change;
      break;
    }
    const std::size_t more = entry.changes.size() - 1;
    return describe_change(*first) + (more == 0 ? "" : fmt::format(" and {} more", more));
  }
  for (const GateFinding& finding : entry.findings)
    if (finding.kind != GateFindingKind::kNote) return std::string(gate_finding_name(finding.kind));
  return "";
}

std::string gate_counts(const CheckReport& report) {
  std::string text;
  for (const CheckState state : kStates) {
    const std::size_t count = report.count(state);
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, check_state_name(state));
  }
  return text;
}

std::string check_text(const CheckReport& report, bool colour, const Screen& screen) {
  std::string text = heading(report);
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  Table table({{"verdict", Table::Align::kLeft, 0},
               {"kernel", Table::Align::kLeft, 0, Table::Narrow::kMiddle, 12, 1},
               {"problem", Table::Align::kLeft, 48, Table::Narrow::kMiddle, 16, 3},
               {"configuration", Table::Align::kLeft, 60, Table::Narrow::kMiddle, 24, 2},
               prose_column("change", 18)});
  for (const CheckEntry& entry : report.entries) {
    table.add_row({verdict_of(entry), entry.kernel, entry.problem_text, entry.configuration_text,
                   check_change(entry)});
  }
  text += "\n" + table.render(0, screen);
  for (const CheckEntry& entry : report.entries) add_findings(entry, colour, text);
  text += fmt::format("\n{} {}: {}; in {}\n", report.entries.size(),
                      report.entries.size() == 1 ? "entry" : "entries", gate_counts(report),
                      format_duration(report.seconds));
  if (report.failures() > 0) {
    text += fmt::format("{} of them {} the gate fail\n", report.failures(),
                        report.failures() == 1 ? "makes" : "make");
  }
  return text;
}

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
