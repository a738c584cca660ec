#include "check/texts/check_github.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/texts/check_text.h"

namespace warpwright {
namespace {

std::string escaped(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

const char* level_of(FindingKind kind) {
  if (fails_gate(kind)) return "error";
  return kind == FindingKind::kImprovement ? "notice" : "warning";
}

// Within a cell of a table: no bar, no line end, and nothing that HTML or Markdown would
// interpret.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += ' ';
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '`' || c == '[' || c == '#') {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
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

// A fence longer than any row of backticks in the text.
std::string fenced(const std::string& text) {
  std::size_t longest = 2;
  for (std::size_t at = 0, row = 0; at < text.size(); ++at) {
    row = text[at] == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  return "  " + fence + "\n  " + text + "\n  " + fence + "\n";
}

std::string findings_of(const CheckEntry& entry) {
  std::string text;
  for (const Finding& finding : entry.findings) {
    if (finding.kind == FindingKind::kNote) continue;
    std::string where;
    if (finding.place) {
      where = cell(finding.place->file);
      if (finding.place->line > 0) where += fmt::format(":{}", finding.place->line);
      where += ": ";
    }
    text += fmt::format("- {}{}: {}\n", where, finding_name(finding.kind), cell(finding.message));
    if (finding.place && !finding.place->text.empty()) text += fenced(finding.place->text);
  }
  return text;
}

}  // namespace

std::string check_annotations(const CheckReport& report) {
  std::string text;
  for (const CheckEntry& entry : report.entries) {
    for (const Finding& finding : entry.findings) {
      if (finding.kind == FindingKind::kNote) continue;
      std::string properties;
      if (finding.place) {
        properties += " file=" + escaped(finding.place->file, true);
        if (finding.place->line > 0) properties += fmt::format(",line={}", finding.place->line);
      }
      properties += fmt::format(
          "{}title={}", properties.empty() ? " " : ",",
          escaped(fmt::format("{}: {}", finding_name(finding.kind), entry.kernel), true));
      text += fmt::format("::{}{}::{}\n", level_of(finding.kind), properties,
                          escaped(entry.title() + ": " + finding.message, false));
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
      cell(report.baseline), cell(report.device_name), report.measured ? "driver " : "",
      cell(report.driver), cell(report.nvrtc),
      report.measured ? "raced against the baseline's sources" : "counted, not timed");
  for (const std::string& note : report.notes) text += "> " + cell(note) + "\n\n";
  text += "|  | verdict | kernel | problem | configuration | change |\n|---|---|---|---|---|---|\n";
  for (const CheckEntry& entry : report.entries) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", icon(entry),
                        check_state_name(entry.state), cell(entry.kernel), cell(entry.problem_text),
                        cell(entry.configuration_text), cell(check_change(entry)));
  }
  bool any = false;
  for (const CheckEntry& entry : report.entries) {
    const std::string findings = findings_of(entry);
    if (findings.empty()) continue;
    if (!any) text += "\n### Findings\n";
    any = true;
    text += fmt::format("\n{} **{}** {}\n\n{}", icon(entry), check_state_name(entry.state),
                        cell(entry.title()), findings);
  }
  return text;
}

}  // namespace warpwright
