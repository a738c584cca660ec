#include "output/text/limit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/escape.h"
#include "core/shared_names.h"
#include "core/terminal_text.h"
#include "output/text/ranking_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

// Three or more significant digits.
std::string digits(double value) {
  if (!std::isfinite(value)) return "n/a";
  return value < 99.95 ? fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1)
                       : format_thousands(value);
}

// 1647476736 and "B" as "1.65 GB".
std::string scaled(double amount, const char* unit) {
  constexpr std::array kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (amount >= 999.5 && prefix + 1 < kPrefixes.size()) {
    amount /= 1000;
    ++prefix;
  }
  if (prefix == 0) return fmt::format("{:.0f} {}", amount, unit);
  return fmt::format("{} {}{}", digits(amount), kPrefixes[prefix], unit);
}

std::string limit_line(const Leaderboard& board) {
  const Limit& limit = *board.limit;
  const bool memory = limit.bound == Bound::kMemory;
  std::string line = fmt::format(
      "{}: {} µs, {}-bound: {} at {} ({} {})", limit.modelled ? "the model's limit" : "limit",
      format_us(limit.us), memory ? "memory" : "compute",
      memory ? scaled(board.work.bytes, "B") : scaled(board.work.flops, "FLOP"),
      format_rate(limit.rate, memory ? "GB/s" : "GFLOP/s"),
      limit.modelled ? "its rate for" : "measured ceiling:", limit.ceiling);
  const LeaderboardEntry& best = board.entries.front();
  const bool counts = best.limit_share && best.limit_share->standing == Standing::kFraction;
  if (memory && counts && board.datasheet_gb_per_s && best.gigabytes_per_second) {
    line += fmt::format("; the best reaches {:.0f} % of the datasheet's {} GB/s",
                        100 * *best.gigabytes_per_second / *board.datasheet_gb_per_s,
                        format_thousands(*board.datasheet_gb_per_s));
  }
  return line + "\n";
}

bool any_stands(const Leaderboard& board, Standing standing, bool l2_resident = false) {
  return std::any_of(board.entries.begin(), board.entries.end(), [&](const auto& entry) {
    return entry.limit_share && entry.limit_share->standing == standing &&
           entry.limit_share->l2_resident == l2_resident;
  });
}

std::string gained(const Speedup& speedup, const char* over) {
  const double factor = speedup.factor;
  return fmt::format("{}{:.{}f}x over {} ({})", speedup.at_least ? "at least " : "", factor,
                     factor < 9.995 ? 2 : 1, over, speedup.configuration);
}

}  // namespace

std::string format_rate(double value, const std::string& unit) {
  if (unit == "GFLOP/s" && value >= 1000) return digits(value / 1000) + " TFLOP/s";
  return digits(value) + " " + unit;
}

std::string limit_cell(const std::optional<LimitShare>& share) {
  if (!share) return "-";
  switch (share->standing) {
    case Standing::kLatencyBound:
      return "latency";
    case Standing::kAboveLimit:
      return "> limit";
    case Standing::kFraction:
      break;
  }
  return fmt::format("{:.1f} %", 100 * share->fraction);
}

std::string limit_lines(const Leaderboard& board) {
  if (!board.limit || board.entries.empty()) return "";
  std::string text = limit_line(board);
  if (!board.missing_ceiling.empty()) {
    text += fmt::format(
        "that leaves out a part of the work: this device has no ceiling '{}' (warpwright "
        "calibrate)\n",
        board.missing_ceiling);
  }
  if (any_stands(board, Standing::kLatencyBound)) {
    text += fmt::format(
        "latency: below {:.0f} µs launch and latency rule, a percentage would mislead\n",
        kLatencyBoundUs);
  }
  if (any_stands(board, Standing::kAboveLimit)) {
    text +=
        "> limit: faster than the work can be done, so the contract counts too much of it; not a "
        "result\n";
  }
  if (any_stands(board, Standing::kAboveLimit, true))
    text += "> limit: the bytes fit into L2 and stayed there; not a result about memory\n";
  return text;
}

std::string speedup_line(const Leaderboard& board) {
  std::string line;
  if (board.over_default) line = gained(*board.over_default, "the default configuration");
  if (board.over_baseline)
    line += (line.empty() ? "" : ", ") + gained(*board.over_baseline, "the best of the baseline");
  if (line.empty()) return "";
  return (board.modelled ? "by the model, tuning gained " : "tuning gained ") +
         terminal_line(line) + "\n";
}

std::string calibration_hint(const std::vector<Leaderboard>& boards) {
  std::string text;
  std::set<std::string> told;
  for (const Leaderboard& board : boards) {
    if (board.limit || board.missing_ceiling.empty() || board.modelled) continue;
    if (!told.insert(board.device_fingerprint).second) continue;
    text += fmt::format(
        "no limits for {} ({}): measure its ceilings with `warpwright calibrate --device {}`\n",
        terminal_line(board.device_name), terminal_line(board.device_id),
        terminal_line(shell_word(board.device_id)));
  }
  return text;
}

Json limit_json(const Leaderboard& board) {
  if (!board.limit) return nullptr;
  const Limit& limit = *board.limit;
  const auto or_null = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  const bool memory = limit.bound == Bound::kMemory;
  return {
      {"us", limit.us},
      {"bound", memory ? "memory" : "compute"},
      {"ceiling", limit.ceiling},
      {"rate", limit.rate},
      {"unit", memory ? "GB/s" : "GFLOP/s"},
      {"modelled", limit.modelled},
      {"memory_us", or_null(limit.memory_us)},
      {"compute_us", or_null(limit.compute_us)},
      {"datasheet_gb_per_s", or_null(board.datasheet_gb_per_s)},
  };
}

Json speedup_json(const std::optional<Speedup>& speedup) {
  if (!speedup) return nullptr;
  return {{"factor", speedup->factor},
          {"at_least", speedup->at_least},
          {"configuration_text", speedup->configuration},
          {"trial", speedup->trial}};
}

Json standing_json(const std::optional<LimitShare>& share) {
  if (!share) return nullptr;
  switch (share->standing) {
    case Standing::kLatencyBound:
      return "latency_bound";
    case Standing::kAboveLimit:
      return "above_limit";
    case Standing::kFraction:
      break;
  }
  return "fraction";
}

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
