#include "harness/selftest/selftest_report.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "output/text/table.h"

namespace warpwright {
namespace {

std::string verdict(const Figure& figure) {
  if (!figure.target.given()) return "";
  return figure.passed() ? "PASS" : "FAIL";
}

// Figures are data, with "us" in their texts and units. This turns "5 us, cold" into "5 µs, cold".
std::string for_people(std::string text) {
  const std::string unit = " us";
  for (std::size_t at = text.find(unit); at != std::string::npos; at = text.find(unit, at + 1)) {
    const std::size_t end = at + unit.size();
    const bool digit = at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0;
    if (digit && (end == text.size() || text[end] == ',' || text[end] == ' ' || text[end] == ';'))
      text.replace(at, unit.size(), " µs");
  }
  return text;
}

}  // namespace

std::string selftest_text(const SelftestReport& report, const Screen& screen) {
  std::string text =
      fmt::format("{} ({}), driver {}, NVRTC {}, {}, {}\n", report.device.name, report.device.id,
                  report.device.driver, report.nvrtc, report.version, report.date_utc);
  if (!report.protocols.empty())
    text += fmt::format("protocols: {}\n", fmt::join(report.protocols, ", "));
  if (report.quick)
    text +=
        "quick: fewer repetitions than the targets are stated for; leave --quick out to prove "
        "them\n";
  Table table({word_column("section", 2),
               prose_column("figure", 10),
               middle_column("of", 8, 3),
               {"value", Table::Align::kRight},
               number_column("target", 1),
               {"verdict"},
               prose_column("detail", 24, 4)});
  for (const Figure& figure : report.figures) {
    table.add_row({figure.section, figure.name, for_people(figure.size),
                   for_people(format_value(figure.value, figure.unit)),
                   for_people(figure.target.text(figure.unit)), verdict(figure),
                   for_people(figure.detail)});
  }
  return text + "\n" + table.render(0, screen) +
         fmt::format("\n{} of {} targets met\n", report.met(), report.targets());
}

nlohmann::json selftest_json(const SelftestReport& report) {
  return {{"selftest",
           {{"device", report.device},
            {"driver", report.device.driver},
            {"nvrtc", report.nvrtc},
            {"version", report.version},
            {"date_utc", report.date_utc},
            {"protocols", report.protocols},
            {"quick", report.quick},
            {"met", report.met()},
            {"targets", report.targets()}}},
          {"figures", report.figures},
          {"raw", report.raw}};
}

}  // namespace warpwright
