#include "output/text/ceilings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/ceiling_names.h"
#include "core/escape.h"
#include "core/terminal_text.h"
#include "output/text/limit_text.h"
#include "output/text/ranking_text.h"
#include "output/text/table.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

// Known names in their order, then any unknown names, stored by another version of warpwright.
std::vector<const CeilingRecord*> in_order(const Roofs& roofs) {
  std::vector<std::string> known = memory_ceilings();
  known.insert(known.end(), arithmetic_ceilings().begin(), arithmetic_ceilings().end());
  std::vector<const CeilingRecord*> ordered;
  for (const std::string& name : known) {
    if (const CeilingRecord* ceiling = roofs.find(name)) ordered.push_back(ceiling);
  }
  for (const auto& [name, ceiling] : roofs.ceilings) {
    if (std::find(known.begin(), known.end(), name) == known.end()) ordered.push_back(&ceiling);
  }
  return ordered;
}

// For DRAM only: L2 has no datasheet rate here.
std::string of_datasheet(const CeilingRecord& ceiling, const Roofs& roofs) {
  const bool dram = ceiling.unit == "GB/s" && ceiling.name != "l2_read";
  if (!dram || !roofs.datasheet_gb_per_s) return "-";
  return fmt::format("{:.1f} %", 100 * ceiling.value / *roofs.datasheet_gb_per_s);
}

}  // namespace

std::string ceilings_text(const DeviceRecord& device, const Roofs& roofs, const Screen& screen) {
  std::string text =
      fmt::format("{} ({}), {}", terminal_line(device.name), terminal_line(device.id),
                  roofs.modelled ? "rates of its model, not measured" : "measured");
  if (!device.driver.empty()) text += "; driver " + terminal_line(device.driver);
  if (roofs.datasheet_gb_per_s) {
    text += fmt::format("; datasheet {} GB/s", format_thousands(*roofs.datasheet_gb_per_s));
  }
  text += "\n";
  if (roofs.ceilings.empty()) {
    return text +
           (roofs.modelled
                ? "  no rates known: sweep on it with this warpwright to learn them\n"
                : fmt::format("  none: measure them with `warpwright calibrate --device {}`\n",
                              terminal_line(shell_word(device.id))));
  }
  Table table({{"ceiling"},
               {"rate", Table::Align::kRight},
               number_column("95 % interval", 1),
               number_column("of datasheet", 3),
               word_column("protocol", 4),
               word_column("measured", 2)});
  for (const CeilingRecord* ceiling : in_order(roofs)) {
    table.add_row({ceiling->name, format_rate(ceiling->value, ceiling->unit),
                   half_width(ceiling->value, ceiling->ci_low, ceiling->ci_high),
                   of_datasheet(*ceiling, roofs), ceiling->protocol, ceiling->measured_utc});
  }
  return text + table.render(2, screen);
}

Json ceilings_json(const DeviceRecord& device, const Roofs& roofs) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json list = Json::array();
  for (const CeilingRecord* ceiling : in_order(roofs)) {
    list.push_back({{"name", ceiling->name},
                    {"value", ceiling->value},
                    {"unit", ceiling->unit},
                    {"ci_low", or_null(ceiling->ci_low)},
                    {"ci_high", or_null(ceiling->ci_high)},
                    {"protocol", ceiling->protocol},
                    {"measured_utc",
                     ceiling->measured_utc.empty() ? Json(nullptr) : Json(ceiling->measured_utc)}});
  }
  return {{"device",
           {{"id", device.id},
            {"name", device.name},
            {"arch", device.arch},
            {"driver", device.driver},
            {"fingerprint", device.fingerprint},
            {"has_clock", device.has_clock}}},
          {"modelled", roofs.modelled},
          {"datasheet_gb_per_s", or_null(roofs.datasheet_gb_per_s)},
          {"ceilings", std::move(list)}};
}

}  // namespace warpwright
