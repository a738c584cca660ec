#include "output/text/leaderboard_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "analysis/board/headline_time.h"
#include "analysis/board/objections.h"
#include "core/terminal_text.h"
#include "metrics/resource_summary.h"
#include "output/text/failures_text.h"
#include "output/text/goal_text.h"
#include "output/text/leaderboard_notes.h"
#include "output/text/limit_text.h"
#include "output/text/ranking_text.h"
#include "output/text/style.h"
#include "output/text/table.h"

namespace warpwright {
namespace {

// If parameters are wider than this, the ones that all rows share leave the table.
std::size_t parameters_width(const Screen& screen) {
  constexpr std::size_t kMost = 60;
  return screen.columns == 0 ? kMost : std::min(kMost, screen.columns * 2 / 5);
}

// The kind of the numbers: "cold, measured". Protocols are named `<temperature>-<how>-<version>`.
std::string temperature_of_times(const Leaderboard& board) {
  if (board.imported) {
    return fmt::format("{} elsewhere, imported from {}", board.modelled ? "modelled" : "measured",
                       *board.imported);
  }
  if (board.entries.empty()) return "nothing timed";
  if (board.modelled) return "modelled, not measured";
  for (const std::string_view word : {"cold", "hot"}) {
    if (board.protocol.starts_with(std::string(word) + "-"))
      return std::string(word) + ", measured";
  }
  return board.protocol.empty() ? "measured" : board.protocol + ", measured";
}

std::string kind_of_times(const Leaderboard& board) {
  std::string text = temperature_of_times(board);
  if (board.entries.empty()) return text;
  const TrialMeasurement* seen = board.entries.front().row.trial.measurement.readable();
  return seen != nullptr && seen->units ? text + ", of one unit of work" : text;
}

std::string parameters_of(const TrialRecord& trial) {
  const std::string& text = trial.configuration_text;
  if (trial.variant.empty() || !text.starts_with(trial.variant)) return text;
  return text.size() > trial.variant.size() ? text.substr(trial.variant.size() + 1) : "";
}

std::vector<std::string> parameter_words(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// "NAME=VALUE" words that every shown row has. Long rows usually differ only in a few parameters,
// and a reader looks for those; the others are listed once below the table. Empty if the rows are
// short enough to be shown whole.
std::vector<std::string> common_parameters(const Leaderboard& board, std::size_t shown,
                                           const Screen& screen) {
  std::vector<std::string> common;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string text = parameters_of(board.entries[i].row.trial);
    const std::vector<std::string> words = parameter_words(text);
    longest = std::max(longest, text.size());
    if (i == 0) common = words;
    std::erase_if(common, [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) == words.end();
    });
  }
  return shown > 1 && longest > parameters_width(screen) ? common : std::vector<std::string>();
}

std::string parameters_without(const TrialRecord& trial, const std::vector<std::string>& common) {
  if (common.empty()) return parameters_of(trial);
  std::string text;
  for (const std::string& word : parameter_words(parameters_of(trial))) {
    if (std::find(common.begin(), common.end(), word) == common.end())
      text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string whole(const std::optional<int>& value) {
  return value ? format_thousands(*value) : "-";
}

std::string ratio(double value) {
  return fmt::format("{:.{}f}x", value, value < 0.0995 ? 3 : value < 9.995 ? 2 : 1);
}

// 4,425 GB/s, but 3.47 GB/s.
std::string throughput(const std::optional<double>& value) {
  if (!value) return "-";
  return *value < 99.95 ? fmt::format("{:.{}f}", *value, *value < 9.995 ? 2 : 1)
                        : format_thousands(*value);
}

bool by_time(const Leaderboard& board) { return !board.goal || board.goal->spec.by_time(); }

bool has_front(const Leaderboard& board) { return board.goal && board.goal->spec.has_front(); }

// The columns of a board depend on the work that its contract counts.
struct Columns {
  bool interval = false;
  bool bytes = false;
  bool flops = false;
  bool tera = false;
  bool ties = false;
  bool limit = false;
  bool factor = false;  // of the best time, if the time decides
};

Columns columns_of(const Leaderboard& board) {
  Columns columns;
  columns.ties = has_ties(board) || has_front(board);
  columns.factor = by_time(board);
  for (const LeaderboardEntry& entry : board.entries) {
    columns.interval |= !board.modelled && entry.ci_low_us && entry.ci_high_us;
    columns.bytes |= entry.gigabytes_per_second.has_value();
    columns.flops |= entry.gigaflops_per_second.has_value();
    columns.limit |= entry.limit_share.has_value();
    columns.tera |= entry.gigaflops_per_second.value_or(0) >= 1000;
  }
  return columns;
}

Table make_table(const Leaderboard& board, const Columns& columns, std::size_t shown,
                 const std::vector<std::string>& common) {
  // A narrow screen drops resources first, then rates, then columns that can be looked up
  // elsewhere.
  std::vector<Table::Column> heads = {number_column("rank"),
                                      number_column(board.modelled ? "model µs" : "median µs")};
  if (columns.interval) heads.push_back(number_column("95 % interval", 3));
  for (Table::Column& column : goal_columns(board)) heads.push_back(std::move(column));
  if (columns.factor) heads.push_back(number_column("vs best", 2));
  if (columns.bytes) heads.push_back(number_column("GB/s", 6));
  if (columns.flops) heads.push_back(number_column(columns.tera ? "TFLOP/s" : "GFLOP/s", 6));
  if (columns.limit) heads.push_back(number_column("of limit", 5));
  heads.insert(heads.end(), {middle_column("variant", 10, 1), middle_column("parameters", 28),
                             number_column("regs", 7), number_column("shared B", 8),
                             number_column("spill B", 9), number_column("trial", 4)});
  Table table(heads);
  for (std::size_t i = 0; i < shown; ++i) {
    const LeaderboardEntry& entry = board.entries[i];
    const TrialRecord& trial = entry.row.trial;
    const ResourceSummary resources = summarise_resources(*trial.resources);
    const char* mark = board.ranking && !entry.finalist       ? "~"
                       : entry.on_front                       ? "*"
                       : columns.ties && entry.tied_with_best ? "="
                                                              : "";
    const char* objected = objections_to(entry).empty() ? "" : "!";
    std::vector<std::string> cells = {fmt::format("{}{}{}", objected, mark, entry.rank),
                                      format_us(entry.median_us)};
    if (columns.interval)
      cells.push_back(half_width(entry.median_us, entry.ci_low_us, entry.ci_high_us));
    for (std::string& cell : goal_cells(board, entry)) cells.push_back(std::move(cell));
    if (columns.factor) cells.push_back(ratio(entry.speed_vs_best));
    if (columns.bytes) cells.push_back(throughput(entry.gigabytes_per_second));
    if (columns.flops) {
      std::optional<double> flops = entry.gigaflops_per_second;
      if (flops && columns.tera) *flops /= 1e3;
      cells.push_back(throughput(flops));
    }
    if (columns.limit) cells.push_back(limit_cell(entry.limit_share));
    cells.insert(cells.end(), {trial.variant, parameters_without(trial, common),
                               whole(resources.registers), whole(resources.shared_bytes),
                               whole(resources.spill_bytes), std::to_string(trial.id)});
    table.add_row(std::move(cells));
  }
  return table;
}

// Colours whole lines, after alignment: title bold, rule dim, ties with the best green. Each entry
// has one line.
std::string styled_table(const Leaderboard& board, const std::string& rendered, std::size_t shown,
                         bool colour) {
  if (!colour) return rendered;
  std::string out;
  std::size_t line = 0;
  for (std::size_t at = 0; at < rendered.size(); ++line) {
    const std::size_t end = rendered.find('\n', at);
    const bool tied = line >= 2 && line - 2 < shown && board.entries[line - 2].tied_with_best;
    const Style style = line == 0   ? Style::kBold
                        : line == 1 ? Style::kDim
                        : tied      ? Style::kGreen
                                    : Style::kPlain;
    out += styled(rendered.substr(at, end - at), style, true) + "\n";
    at = end + 1;
  }
  return out;
}

std::string table_text(const Leaderboard& board, const LeaderboardTextOptions& options) {
  const std::size_t all = board.entries.size();
  if (all == 0) return "";
  const std::size_t front = front_of(board).size();
  const std::size_t wanted = options.front_only && has_front(board) ? front : options.top;
  const std::size_t shown = wanted == 0 ? all : std::min(wanted, all);
  const std::vector<std::string> common = common_parameters(board, shown, options.screen);
  const Table table = make_table(board, columns_of(board), shown, common);
  std::string text = styled_table(board, table.render(2, options.screen), shown, options.colour);
  if (shown < all && wanted == options.top)
    text += fmt::format("  … {} more: --top 0 shows all\n", all - shown);
  if (!common.empty())
    text += fmt::format("  every row shown has {}\n",
                        terminal_line(fmt::format("{}", fmt::join(common, " "))));
  return text;
}

// "best of each variant: threshold 372.1 µs (16.8x), naive 6,258 µs (1.00x)", the factor against
// the slowest of them.
std::string variants_line(const Leaderboard& board) {
  if (!by_time(board)) return "";
  std::set<std::string> seen;
  std::string line;
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    if (!seen.insert(trial.variant).second) continue;
    line += fmt::format("{}{} {} µs ({})", line.empty() ? "best of each variant: " : ", ",
                        terminal_line(trial.variant), format_us(entry.median_us),
                        ratio(entry.speedup_over_slowest_variant_best));
  }
  return seen.size() > 1 ? line + "\n" : "";
}

// Lists outputs that pass on this problem without being computed.
std::string contract_text(const Leaderboard& board) {
  std::string text;
  for (const std::string& line : describe(board.contract_remarks))
    text += fmt::format("warning: {}\n", terminal_line(line));
  return text;
}

}  // namespace

std::string leaderboard_text(const Leaderboard& given, const LeaderboardTextOptions& options) {
  const Leaderboard board = with_headline_time(given);
  const std::string head =
      terminal_line(fmt::format("{}  {}   {} ({}), {}", board.kernel, board.problem_text,
                                board.device_name, board.device_id, kind_of_times(board)));
  std::string out = styled(head, Style::kBold, options.colour) + "\n";
  out += fmt::format(
      "{} of {} configurations ranked{}\n", board.entries.size(), board.trials,
      board.device_driver.empty() ? "" : "; driver " + terminal_line(board.device_driver));
  out += goal_line(board);
  const auto add_section = [&out](const std::string& section) {
    if (!section.empty()) out += "\n" + section;
  };
  if (options.show_ranking) {
    add_section(ranking_text(board, options.colour));
    add_section(table_text(board, options));
    add_section(variants_line(board) + speedup_line(board) + limit_lines(board) +
                leaderboard_notes(board));
  }
  add_section(contract_text(board));
  if (options.show_failures) {
    add_section(untimed_text(board));
    add_section(
        failures_text(board, {options.colour, options.whole_failures, options.command_options}));
  }
  return out;
}

}  // namespace warpwright
