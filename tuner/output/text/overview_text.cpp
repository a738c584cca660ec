#include "output/text/overview_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

std::optional<std::chrono::sys_seconds> read_utc(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute,
                  &second) != 6)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::string best_text(const OverviewRow& row) {
  if (!row.fastest_us) return "–";
  const std::string fastest = format_us(*row.fastest_us), slowest = format_us(*row.slowest_us);
  return fastest == slowest ? fastest : fastest + " to " + slowest;
}

std::string times_text(const OverviewRow& row) {
  if (!row.fastest_us) return "none";
  if (row.imported) return row.modelled ? "imported, modelled" : "imported";
  return row.modelled ? "modelled" : "measured";
}

std::string state_text(const OverviewRow& row) {
  std::string text;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                          format_thousands(static_cast<double>(count)), what);
  };
  add(row.stale, "stale");
  add(row.outdated, "outdated");
  add(row.lapsed, row.lapsed == 1 ? "ranking lapsed" : "rankings lapsed");
  return text;
}

std::string count_text(std::size_t count) { return format_thousands(static_cast<double>(count)); }

}  // namespace

std::string age_text(const std::string& then_utc, const std::string& now_utc) {
  const auto then = read_utc(then_utc), now = read_utc(now_utc);
  if (!then || !now) return "–";
  const auto seconds = (*now - *then).count();
  if (seconds < 60) return "now";
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{} h", seconds / 3600);
  return fmt::format("{} d", seconds / (24 * 3600));
}

std::string overview_text(const std::vector<OverviewRow>& rows, const std::string& now_utc,
                          const Screen& screen) {
  const bool any_state = std::any_of(
      rows.begin(), rows.end(), [](const OverviewRow& row) { return !state_text(row).empty(); });
  std::vector<Table::Column> columns = {
      middle_column("kernel", 14), middle_column("device", 14),        number_column("boards", 4),
      number_column("trials", 5),  number_column("failed", 3),         number_column("best µs"),
      word_column("times"),        middle_column("fastest on", 16, 6), number_column("age", 2)};
  if (any_state) columns.push_back(prose_column("state", 12, 1));
  Table table(columns);
  for (const OverviewRow& row : rows) {
    std::vector<std::string> cells = {row.kernel,
                                      fmt::format("{} ({})", row.device_name, row.device_id),
                                      count_text(row.boards),
                                      count_text(row.trials),
                                      count_text(row.failures),
                                      best_text(row),
                                      times_text(row),
                                      row.fastest_problem,
                                      age_text(row.newest_utc, now_utc)};
    if (any_state) cells.push_back(state_text(row));
    table.add_row(std::move(cells));
  }
  std::string text = table.render(0, screen);
  if (any_state) {
    text +=
        "stale: trials of sources that have changed since, not shown; outdated: entries whose "
        "variant has newer sources elsewhere; a ranking lapses when its finalists change\n";
  }
  return text;
}

namespace {

// "3, 5 to 7": the numbers from 1 to the count that were not begun.
std::string missing_of(const ShardsHere& here) {
  std::string text;
  for (std::uint64_t first = 1; first <= here.count; ++first) {
    if (here.begun.contains(first)) continue;
    std::uint64_t last = first;
    while (last < here.count && !here.begun.contains(last + 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last > first) text += fmt::format("{}{}", last == first + 1 ? ", " : " to ", last);
    first = last;
  }
  return text;
}

}  // namespace

std::string shards_text(const std::vector<ShardsHere>& shards) {
  std::string text;
  for (const ShardsHere& here : shards) {
    if (here.complete()) continue;
    const std::uint64_t missing = here.count - here.begun.size();
    text += fmt::format("{} {} on {}: {} of {} configurations are here; ", here.kernel,
                        here.problem_text, here.device_name, here.known, here.asked);
    if (missing > 0) {
      text += fmt::format("of {} shards {} {} missing\n", here.count, missing_of(here),
                          missing == 1 ? "is" : "are");
    } else {
      text +=
          fmt::format("all {} shards were begun, and one that is run again goes on\n", here.count);
    }
  }
  return text;
}

}  // namespace warpwright
