#include "output/text/leaderboard_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "analysis/board/board_ranking.h"
#include "analysis/board/leaderboard.h"
#include "analysis/board/objections.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "metrics/trial_metrics.h"
#include "output/text/goal_text.h"
#include "output/text/limit_text.h"
#include "output/text/ranking_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/style.h"
#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

constexpr std::size_t kReasonWidth = 140;
constexpr std::size_t kReasonLines = 4;
constexpr std::size_t kFailureGroups = 12;

// A few lines of a reason; those after the first are indented below it.
std::string reason_lines(const std::string& reason, const FailuresTextOptions& options) {
  const bool whole = options.whole;
  std::string out;
  std::string_view rest = reason;
  for (std::size_t line = 0; !rest.empty() && (whole || line < kReasonLines); ++line) {
    const std::size_t end = rest.find('\n');
    if (line > 0) out += "\n        ";
    const std::string safe = terminal_text(rest.substr(0, end));
    out += whole ? safe : shorten_to_width(safe, kReasonWidth);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (!rest.empty())
    out += fmt::format("\n        … (the whole reason: show --why{})", options.command_options);
  return out;
}

// "seen in 14 of 14 failures and none of 60 passes", and over how many problems; a constraint named
// by the reasons does not depend on these counts.
std::string effect_text(const FailureAdvice& advice, const ConstraintHint& hint) {
  std::string text = fmt::format("{}seen in {} of {} and none of {} passes",
                                 hint.documented ? "named by the reasons; " : "", hint.excludes,
                                 plural(advice.failures, "failure"), advice.kept);
  return advice.problems > 1 ? text + fmt::format(", over {} problems", advice.problems) : text;
}

std::string advice_lines(const FailureAdvice& advice, bool colour) {
  std::string text;
  for (const ConstraintHint& hint : advice.constraints) {
    text +=
        "      " +
        styled(fmt::format("add to constraints: \"{}\"", hint.expression), Style::kGreen, colour) +
        fmt::format("  ({})\n", effect_text(advice, hint));
    for (const std::string& other : hint.alternatives)
      text += fmt::format("        as simple, and true of the same: \"{}\"\n", other);
  }
  if (!advice.constraints.empty() && advice.excluded < advice.failures && advice.note.empty())
    text += fmt::format("        nothing simple explains the other {}\n",
                        advice.failures - advice.excluded);
  return advice.note.empty() ? text : text + "      " + advice.note + "\n";
}

// A single failure is printed in full; for several, the common cause and then one in full.
std::string failure_lines(const FailureGroup& group, const std::string& head,
                          const FailuresTextOptions& options) {
  const bool alone = group.count == 1;
  std::string example =
      fmt::format("{} {} (trial {})", alone ? "in" : "e.g.",
                  terminal_line(group.example_configuration), group.example_trial);
  if (!alone && group.example != group.cause)
    example += ": " + reason_lines(group.example, options);
  return head + (alone ? reason_lines(group.example, options) : terminal_line(group.cause)) +
         "\n      " + styled(example, Style::kDim, options.colour) + "\n" +
         advice_lines(group.advice, options.colour);
}

// "each at least 1.25x the best": rounded down, so that it holds.
std::string bound_text(const Leaderboard& board) {
  const std::string each = board.pruned == 1 ? "" : "each ";
  if (!board.pruned_at_least_us) return "stopped early: certainly slower";
  if (board.entries.empty() || board.entries.front().median_us <= 0)
    return fmt::format("{}at least {} µs", each, format_us(*board.pruned_at_least_us));
  const double times = *board.pruned_at_least_us / board.entries.front().median_us;
  return fmt::format("{}at least {:.2f}x the best", each, std::floor(100 * times) / 100);
}

}  // namespace

std::string untimed_text(const Leaderboard& board) {
  std::string out;
  if (board.pruned > 0)
    out +=
        fmt::format("pruned: {}, {}\n", plural(board.pruned, "configuration"), bound_text(board));
  if (board.noisy > 0) {
    out += fmt::format("noisy: {}, run the sweep again to time {}\n",
                       plural(board.noisy, "configuration"), board.noisy == 1 ? "it" : "them");
  }
  return out;
}

std::string failures_text(const Leaderboard& board, const FailuresTextOptions& options) {
  if (board.failures.empty()) return "";
  std::size_t count = 0;
  std::size_t count_width = 0;
  std::size_t status_width = 0;
  for (const FailureGroup& group : board.failures) {
    count += group.count;
    count_width = std::max(count_width, std::to_string(group.count).size());
    status_width = std::max(status_width, status_name(group.status).size());
  }
  std::string out =
      styled(fmt::format("failed: {} of {}", count, board.trials), Style::kBold, options.colour) +
      "\n";
  const std::size_t shown =
      options.whole ? board.failures.size() : std::min(board.failures.size(), kFailureGroups);
  for (std::size_t i = 0; i < shown; ++i) {
    const FailureGroup& group = board.failures[i];
    out += failure_lines(group,
                         fmt::format("  {:>{}} {:<{}}  ", group.count, count_width,
                                     status_name(group.status), status_width),
                         options);
  }
  if (shown < board.failures.size()) {
    out += fmt::format("  … and {} more causes: show --why{}\n", board.failures.size() - shown,
                       options.command_options);
  }
  if (board.imported) return out;  // there are no sources to run
  return out + fmt::format("run one of them alone: warpwright repro {}{}\n",
                           board.failures.front().example_trial, options.command_options);
}

namespace {

bool has_ties(const Leaderboard& board) {
  return std::count_if(board.entries.begin(), board.entries.end(),
                       [](const auto& entry) { return entry.tied_with_best; }) > 1;
}

std::string tie_note(const Leaderboard& board) {
  if (board.goal && !board.goal->spec.by_time()) return "";  // goal_notes() explains the marks
  if (!has_ties(board)) return "";
  if (board.ranking)
    return "= ties with the best: the rounds of the final ranking cannot tell them apart\n";
  return board.modelled ? "= ties with the best: the model gives the same time\n"
                        : "= ties with the best: the intervals overlap\n";
}

std::string screened_note(const Leaderboard& board) {
  const bool any = board.ranking && std::any_of(board.entries.begin(), board.entries.end(),
                                                [](const auto& entry) { return !entry.finalist; });
  return any ? "~ only screened: ordered by the median of a few samples, not in the final ranking\n"
             : "";
}

std::string headline_note(const Leaderboard& board) {
  if (!board.ranking || !board.headline.cold || board.ranking->entries.size() < 2) return "";
  return "rank 1 has its cold time above; the other finalists' are of the ranking's rounds\n";
}

std::string floor_note(const Leaderboard& board) {
  if (board.entries.empty() || board.modelled) return "";
  const TrialRecord& trial = board.entries.front().row.trial;
  if (!trial.floor_us) return "";
  return fmt::format("an empty kernel takes {} µs under the same protocol; it is {}subtracted\n",
                     format_us(*trial.floor_us), trial.raw_median_us ? "" : "not ");
}

std::string objections_note(const Leaderboard& board) {
  const Objections objections = count_objections({&board, 1});
  if (objections.configurations == 0) return "";
  return fmt::format("! works, but the checkers object: {}; `warpwright vet {}` tells more\n",
                     terminal_line(kinds_text(objections)), terminal_line(board.kernel));
}

// The notes that a reader needs to interpret the table.
std::string leaderboard_notes(const Leaderboard& board) {
  std::string out = tie_note(board) + goal_notes(board) + headline_note(board) +
                    screened_note(board) + objections_note(board) + floor_note(board);
  const auto twins =
      std::count_if(board.entries.begin(), board.entries.end(),
                    [](const auto& entry) { return entry.row.trial.same_as.has_value(); });
  if (twins > 0) {
    out += fmt::format("{} to the same machine code as another and {} its measurement\n",
                       plural(twins, "entry compiles", "entries compile"),
                       twins == 1 ? "shares" : "share");
  }
  if (!board.lapsed_ranking.empty()) {
    out += fmt::format("a final ranking does not apply: {}; sweep again to renew it\n",
                       board.lapsed_ranking);
  }
  if (board.stale > 0) {
    out += fmt::format("{} of older sources not shown: their variants have changed since\n",
                       plural(board.stale, "trial", "trials"));
  }
  if (board.outdated > 0) {
    out += fmt::format("{} of older sources: sweep again on {} to renew them\n",
                       plural(board.outdated, "entry", "entries"), terminal_line(board.device_id));
  }
  return out;
}

// If parameters are wider than this, the ones that all rows share leave the table.
std::size_t parameters_width(const Screen& screen) {
  constexpr std::size_t kMax = 60;
  return screen.columns == 0 ? kMax : std::min(kMax, screen.columns * 2 / 5);
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
  bool version = false;
};

Columns columns_of(const Leaderboard& board, std::size_t shown) {
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
  columns.version =
      std::any_of(board.entries.begin(), board.entries.begin() + static_cast<std::ptrdiff_t>(shown),
                  [](const LeaderboardEntry& entry) { return !entry.version.empty(); });
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
  if (columns.version) heads.push_back(word_column("version"));
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
    if (columns.version) cells.push_back(entry.version);
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
  const Table table = make_table(board, columns_of(board, shown), shown, common);
  std::string text = styled_table(board, table.render(2, options.screen), shown, options.colour);
  if (shown < all && wanted == options.top)
    text += fmt::format("  … {} more: --top 0 shows all\n", all - shown);
  if (!common.empty())
    text += fmt::format("  every row shown has {}\n", terminal_line(join(common, " ")));
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
