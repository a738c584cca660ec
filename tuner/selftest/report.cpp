#include "selftest/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "output/table.h"

namespace warpwright {
namespace {

std::string verdict(const Figure& figure) {
  if (!figure.target.given()) return "";
  return figure.passed() ? "PASS" : "FAIL";
}

}  // namespace

std::string selftest_text(const SelftestReport& report) {
  std::string text =
      fmt::format("{} ({}), driver {}, NVRTC {}, {}, {}\n", report.device.name, report.device.id,
                  report.device.driver, report.nvrtc, report.version, report.date_utc);
  if (!report.protocols.empty())
    text += fmt::format("protocols: {}\n", fmt::join(report.protocols, ", "));
  if (report.quick)
    text +=
        "quick: fewer repetitions than the targets are stated for; leave --quick out to prove "
        "them\n";
  Table table({{"section"},
               {"figure"},
               {"of"},
               {"value", Table::Align::kRight},
               {"target", Table::Align::kRight},
               {"verdict"},
               {"detail"}});
  for (const Figure& figure : report.figures) {
    table.add_row({figure.section, figure.name, figure.size,
                   format_value(figure.value, figure.unit), figure.target.text(figure.unit),
                   verdict(figure), figure.detail});
  }
  return text + "\n" + table.render() +
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
