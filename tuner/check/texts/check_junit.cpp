#include "check/texts/check_junit.h"

#include <fmt/format.h>

#include <optional>

#include "check/texts/check_text.h"
#include "core/utf8.h"

namespace warpwright {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr char32_t kNoCharacter = 0;  // which XML cannot hold either

// The characters of XML 1.0, production 2. Line ends and tabs in attributes must be references,
// or parsers turn them into blanks.
bool is_allowed(char32_t point) {
  return (point >= 0x20 && point <= 0xD7FF) || (point >= 0xE000 && point <= 0xFFFD) ||
         (point >= 0x10000 && point <= 0x10FFFF);
}

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
      "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml_escaped(entry.kernel),
      xml_escaped(entry.problem_text + " " + entry.configuration_text), entry.seconds);
  std::string body;
  if (entry.fails()) {
    body += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        check_state_name(entry.state), xml_escaped(first_message(entry)),
                        xml_escaped(findings_text(entry, true), true));
  } else if (is_undecided(entry)) {
    body += fmt::format("      <skipped message=\"{}: {}\"/>\n", check_state_name(entry.state),
                        xml_escaped(first_message(entry)));
  }
  std::string rest = fmt::format("{} {}\n", check_state_name(entry.state), check_change(entry));
  rest += findings_text(entry, false);
  if (!entry.recorded.empty()) rest += "recorded: " + entry.recorded + "\n";
  body += fmt::format("      <system-out>{}</system-out>\n", xml_escaped(rest, true));
  return text + ">\n" + body + "    </testcase>\n";
}

}  // namespace

std::string xml_escaped(std::string_view text, bool keep_lines) {
  std::string out;
  while (!text.empty()) {
    const std::optional<Utf8Character> character = front_character(text);
    const std::size_t bytes = character ? character->bytes : 1;
    switch (character ? character->code : kNoCharacter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '\n':
        out += keep_lines ? "\n" : "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += character && is_allowed(character->code) ? text.substr(0, bytes) : kReplacement;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string check_junit(const CheckReport& report) {
  std::size_t skipped = 0;
  for (const CheckEntry& entry : report.entries) skipped += is_undecided(entry) ? 1 : 0;
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"",
                  report.entries.size(), report.failures(), skipped, report.seconds);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"warpwright check\" {}>\n", totals);
  text += fmt::format("  <testsuite name=\"{} on {}\" {}>\n", xml_escaped(report.baseline),
                      xml_escaped(report.device_name), totals);
  for (const CheckEntry& entry : report.entries) text += test_case(entry);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace warpwright
