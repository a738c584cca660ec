#include "check/texts/check_junit.h"

#include <fmt/format.h>

#include <cstdint>

#include "check/texts/check_text.h"

namespace warpwright {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

// Bytes of the UTF-8 sequence at `at`, and its code point; 1 and 0xFFFFFFFF when it is none.
std::size_t decode(const std::string& text, std::size_t at, std::uint32_t& point) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  point = lead;
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : 2;
  point = 0xFFFFFFFF;
  if (lead < 0xC2 || lead >= 0xF5 || text.size() - at < length) return 1;
  std::uint32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 1;
    value = value << 6 | (byte(at + i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[length] || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return 1;
  point = value;
  return length;
}

// The characters of XML 1.0, production 2. Line ends and tabs in attributes must be references,
// or parsers turn them into blanks.
bool is_allowed(std::uint32_t point) {
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

std::string xml_escaped(const std::string& text, bool keep_lines) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t point = 0;
    const std::size_t length = decode(text, at, point);
    switch (point) {
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
        out += is_allowed(point) ? text.substr(at, length) : kReplacement;
    }
    at += length;
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
