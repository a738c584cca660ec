#include "check/texts/check_ci.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/texts/check_text.h"
#include "core/escape.h"

namespace warpwright {
namespace {

const char* level_of(GateFindingKind kind) {
  if (fails_gate(kind)) return "error";
  return kind == GateFindingKind::kImprovement ? "notice" : "warning";
}

std::string icon(const CheckEntry& entry) {
  if (entry.fails()) return "❌";
  switch (entry.state) {
    case CheckState::kImproved:
      return "🎉";
    case CheckState::kInconclusive:
    case CheckState::kIncomparable:
      return "⚠️";
    default:
      return "✅";
  }
}

std::string findings_of(const CheckEntry& entry) {
  std::string text;
  for (const GateFinding& finding : entry.findings) {
    if (finding.kind == GateFindingKind::kNote) continue;
    std::string where;
    if (finding.place) {
      where = markdown_text(finding.place->file);
      if (finding.place->line > 0) where += fmt::format(":{}", finding.place->line);
      where += ": ";
    }
    text += fmt::format("- {}{}: {}\n", where, gate_finding_name(finding.kind),
                        markdown_text(finding.message));
    if (finding.place && !finding.place->text.empty())
      text += markdown_block(finding.place->text, "  ");
  }
  return text;
}

std::string finding_text(const GateFinding& finding) {
  std::string where;
  if (finding.place) {
    where = finding.place->line > 0
                ? fmt::format("{}:{}: ", finding.place->file, finding.place->line)
                : finding.place->file + ": ";
  }
  std::string text =
      fmt::format("{}{}: {}\n", where, gate_finding_name(finding.kind), finding.message);
  if (finding.place && !finding.place->text.empty()) text += "    " + finding.place->text + "\n";
  return text;
}

std::string findings_text(const CheckEntry& entry, bool failing) {
  std::string text;
  for (const GateFinding& finding : entry.findings)
    if (fails_gate(finding.kind) == failing) text += finding_text(finding);
  return text;
}

bool is_undecided(const CheckEntry& entry) {
  return !entry.fails() &&
         (entry.state == CheckState::kInconclusive || entry.state == CheckState::kIncomparable);
}

std::string first_message(const CheckEntry& entry) {
  return entry.findings.empty() ? std::string(check_state_name(entry.state))
                                : entry.findings.front().message;
}

std::string test_case(const CheckEntry& entry) {
  std::string text = fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml_text(entry.kernel),
      xml_text(entry.problem_text + " " + entry.configuration_text), entry.seconds);
  std::string body;
  if (entry.fails()) {
    body += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        check_state_name(entry.state), xml_text(first_message(entry)),
                        xml_text(findings_text(entry, true), true));
  } else if (is_undecided(entry)) {
    body += fmt::format("      <skipped message=\"{}: {}\"/>\n", check_state_name(entry.state),
                        xml_text(first_message(entry)));
  }
  std::string rest = fmt::format("{} {}\n", check_state_name(entry.state), check_change(entry));
  rest += findings_text(entry, false);
  if (!entry.recorded.empty()) rest += "recorded: " + entry.recorded + "\n";
  body += fmt::format("      <system-out>{}</system-out>\n", xml_text(rest, true));
  return text + ">\n" + body + "    </testcase>\n";
}

}  // namespace

std::string check_annotations(const CheckReport& report) {
  std::string text;
  for (const CheckEntry& entry : report.entries) {
    for (const GateFinding& finding : entry.findings) {
      if (finding.kind == GateFindingKind::kNote) continue;
      std::string properties;
      if (finding.place) {
        properties += " file=" + workflow_property(finding.place->file);
        if (finding.place->line > 0) properties += fmt::format(",line={}", finding.place->line);
      }
      properties += fmt::format(
          "{}title={}", properties.empty() ? " " : ",",
          workflow_property(fmt::format("{}: {}", gate_finding_name(finding.kind), entry.kernel)));
      text += fmt::format("::{}{}::{}\n", level_of(finding.kind), properties,
                          workflow_text(entry.title() + ": " + finding.message));
    }
  }
  return text;
}

std::string check_markdown(const CheckReport& report) {
  std::string text = fmt::format(
      "## warpwright check: {}\n\n{} on {}, {}{}, NVRTC {}: {}.\n\n",
      report.failures() > 0
          ? fmt::format("{} of {} entries fail", report.failures(), report.entries.size())
          : fmt::format("{} entries pass or could not be decided", report.entries.size()),
      markdown_text(report.baseline), markdown_text(report.device_name),
      report.measured ? "driver " : "", markdown_text(report.driver), markdown_text(report.nvrtc),
      report.measured ? "raced against the baseline's sources" : "counted, not timed");
  for (const std::string& note : report.notes) text += "> " + markdown_text(note) + "\n\n";
  text += "|  | verdict | kernel | problem | configuration | change |\n|---|---|---|---|---|---|\n";
  for (const CheckEntry& entry : report.entries) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", icon(entry), check_state_name(entry.state),
                    markdown_text(entry.kernel), markdown_text(entry.problem_text),
                    markdown_text(entry.configuration_text), markdown_text(check_change(entry)));
  }
  bool any = false;
  for (const CheckEntry& entry : report.entries) {
    const std::string findings = findings_of(entry);
    if (findings.empty()) continue;
    if (!any) text += "\n### Findings\n";
    any = true;
    text += fmt::format("\n{} **{}** {}\n\n{}", icon(entry), check_state_name(entry.state),
                        markdown_text(entry.title()), findings);
  }
  return text;
}

std::string check_junit(const CheckReport& report) {
  std::size_t skipped = 0;
  for (const CheckEntry& entry : report.entries) skipped += is_undecided(entry) ? 1 : 0;
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"",
                  report.entries.size(), report.failures(), skipped, report.seconds);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"warpwright check\" {}>\n", totals);
  text += fmt::format("  <testsuite name=\"{} on {}\" {}>\n", xml_text(report.baseline),
                      xml_text(report.device_name), totals);
  for (const CheckEntry& entry : report.entries) text += test_case(entry);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace warpwright
