#include "output/text/failures_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/terminal_text.h"
#include "core/text_width.h"
#include "output/text/style.h"
#include "output/text/table.h"

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
  std::string text = fmt::format("{}seen in {} of {} failure{} and none of {} passes",
                                 hint.documented ? "named by the reasons; " : "", hint.excludes,
                                 advice.failures, advice.failures == 1 ? "" : "s", advice.kept);
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

std::string configurations(std::size_t count) {
  return fmt::format("{} configuration{}", count, count == 1 ? "" : "s");
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
    out += fmt::format("pruned: {}, {}\n", configurations(board.pruned), bound_text(board));
  if (board.noisy > 0) {
    out += fmt::format("noisy: {}, run the sweep again to time {}\n", configurations(board.noisy),
                       board.noisy == 1 ? "it" : "them");
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

}  // namespace warpwright
