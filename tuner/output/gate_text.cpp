#include "output/gate_text.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/metric_rules.h"
#include "core/progress.h"
#include "output/style.h"
#include "output/table.h"

namespace warpwright {
namespace {

constexpr GateState kStates[] = {GateState::kRegression,   GateState::kInconclusive,
                                 GateState::kIncomparable, GateState::kImproved,
                                 GateState::kOk,           GateState::kSame};

std::string heading(const GateReport& report) {
  return fmt::format(
      "{} against {}\n{}, {}, {}{}, NVRTC {}: {}\n", "the kernels as they are", report.baseline,
      report.device_id, report.device_name, report.measured ? "driver " : "", report.driver,
      report.nvrtc,
      report.measured ? "raced against the baseline's sources, cold" : "counted, not timed");
}

// The verdict as people act on it: what is gone fails as well.
std::string verdict_of(const GateEntry& entry) {
  const std::string state(gate_state_name(entry.state));
  return entry.fails() && entry.state != GateState::kRegression ? state + "!" : state;
}

void add_findings(const GateEntry& entry, bool colour, std::string& text) {
  if (entry.findings.empty()) return;
  text += fmt::format(
      "\n{} {}\n", styled(verdict_of(entry), entry.fails() ? Style::kBold : Style::kPlain, colour),
      entry.title());
  for (const Finding& finding : entry.findings) {
    std::string where;
    if (finding.place) {
      where = finding.place->line > 0
                  ? fmt::format("{}:{}: ", finding.place->file, finding.place->line)
                  : finding.place->file + ": ";
    }
    text += fmt::format("  {}{}{}\n", where,
                        finding.kind == FindingKind::kRegression
                            ? std::string()
                            : std::string(finding_name(finding.kind)) + ": ",
                        finding.message);
    if (finding.place && !finding.place->text.empty())
      text += fmt::format("      {}\n", styled(finding.place->text, Style::kDim, colour));
  }
}

}  // namespace

std::string gate_change(const GateEntry& entry) {
  if (entry.race) {
    return fmt::format("{:+.2f} %, {} -> {} us", 100 * std::expm1(entry.race->median_d),
                       format_us(entry.race->baseline_us), format_us(entry.race->candidate_us));
  }
  if (!entry.changes.empty()) {
    const bool wants_growth = entry.state == GateState::kRegression;
    const MetricChange* first = &entry.changes.front();
    for (const MetricChange& change : entry.changes) {
      if (change.grew() != wants_growth) continue;
      first = &change;
      break;
    }
    const std::size_t more = entry.changes.size() - 1;
    return describe_change(*first) + (more == 0 ? "" : fmt::format(" and {} more", more));
  }
  for (const Finding& finding : entry.findings)
    if (finding.kind != FindingKind::kNote) return std::string(finding_name(finding.kind));
  return "";
}

std::string gate_counts(const GateReport& report) {
  std::string text;
  for (const GateState state : kStates) {
    const std::size_t count = report.count(state);
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, gate_state_name(state));
  }
  return text;
}

std::string gate_text(const GateReport& report, bool colour) {
  std::string text = heading(report);
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  Table table({{"verdict", Table::Align::kLeft, 0},
               {"kernel", Table::Align::kLeft, 0},
               {"problem", Table::Align::kLeft, 48},
               {"configuration", Table::Align::kLeft, 60},
               {"change", Table::Align::kLeft, 0}});
  for (const GateEntry& entry : report.entries) {
    table.add_row({verdict_of(entry), entry.kernel, entry.problem_text, entry.configuration_text,
                   gate_change(entry)});
  }
  text += "\n" + table.render();
  for (const GateEntry& entry : report.entries) add_findings(entry, colour, text);
  text += fmt::format("\n{} {}: {}; in {}\n", report.entries.size(),
                      report.entries.size() == 1 ? "entry" : "entries", gate_counts(report),
                      format_duration(report.seconds));
  if (report.failures() > 0) {
    text += fmt::format("{} of them {} the gate fail\n", report.failures(),
                        report.failures() == 1 ? "makes" : "make");
  }
  return text;
}

}  // namespace warpwright
