#include "check/texts/check_junit.h"

#include <fmt/format.h>

#include "check/texts/check_text.h"
#include "core/escape.h"

namespace warpwright {
namespace {

std::string finding_text(const Finding& finding) {
  std::string where;
  if (finding.place) {
    where = finding.place->line > 0
                ? fmt::format("{}:{}: ", finding.place->file, finding.place->line)
                : finding.place->file + ": ";
  }
  std::string text = fmt::format("{}{}: {}\n", where, finding_name(finding.kind), finding.message);
  if (finding.place && !finding.place->text.empty()) text += "    " + finding.place->text + "\n";
  return text;
}

std::string findings_text(const CheckEntry& entry, bool failing) {
  std::string text;
  for (const Finding& finding : entry.findings)
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
