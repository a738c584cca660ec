#include "output/text/limit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/escape.h"
#include "core/terminal_text.h"
#include "output/text/table.h"

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

}  // namespace warpwright
