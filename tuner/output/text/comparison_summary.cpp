// The sections of a comparison that cover all of its problems at once.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/terminal_text.h"
#include "core/words.h"
#include "output/text/comparison_parts.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/style.h"
#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

// If the sources of more variants differ, a sentence says so instead of a row for each.
constexpr std::size_t kSourceRows = 3;

// Shortens "2026-03-01T12:00:00Z" to "2026-03-01 12:00"; other texts stay unchanged.
std::string minute(const std::string& utc) {
  if (utc.size() < 16 || utc[10] != 'T') return utc;
  return utc.substr(0, 10) + " " + utc.substr(11, 5);
}

std::string device_text(const Contender& contender) {
  const std::size_t gpus = contender.devices.size();
  return gpus == 1 ? contender.device_name : fmt::format("{} x {}", gpus, contender.device_name);
}

std::string tally_line(const Comparison& comparison, const Tally& tally) {
  const std::string who = fmt::format("{} against {}: ", contender_letter(tally.contender),
                                      contender_letter(tally.against));
  std::string line = who;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) line += fmt::format("{}{} {}", line == who ? "" : ", ", count, what);
  };
  add(tally.faster, "faster");
  add(tally.slower, "slower");
  add(tally.no_difference, "without a difference shown");
  add(tally.not_judged, "not judged");
  return line + fmt::format(", of {}; {} in the geometric mean ({})\n",
                            counted(tally.compared, "problem", "problems"),
                            ratio_text(tally.geometric_mean),
                            kinds_of(comparison, tally.contender));
}

// Explains which values may be compared across the columns.
std::string kinds_note(const Comparison& comparison) {
  std::set<std::string> kinds;
  for (const ProblemComparison& problem : comparison.problems)
    for (const ProblemBest& best : problem.best)
      if (best.entry) kinds.insert(std::string(time_kind_name(best.kind)));
  if (kinds.size() < 2) return "";
  return fmt::format(
      "times here are {}: no speed-up is given across kinds; fractions of best divide two times of "
      "one device and hold for each\n",
      fmt::join(kinds, ", "));
}

// True if no contender before it has a time, so that no ratio is missing.
bool first_with_a_time(const ProblemComparison& problem, std::size_t contender) {
  for (std::size_t i = 0; i < contender; ++i)
    if (problem.best[i].entry) return false;
  return problem.best[contender].entry.has_value();
}

// "B is not compared on 3 problems of 2 kernels: modelled, the first is measured".
std::string missing_ratios(const Comparison& comparison, const Screen& screen) {
  struct Missing {
    std::size_t problems = 0;
    std::set<std::string> kernels;
  };
  std::string out;
  for (std::size_t i = 1; i < comparison.contenders.size(); ++i) {
    std::map<std::string, Missing> reasons;
    for (const ProblemComparison& problem : comparison.problems) {
      const ComparedRatio& speedup = problem.best[i].speedup;
      if (speedup.ratio || !problem.best[i].tried || first_with_a_time(problem, i)) continue;
      Missing& missing = reasons[speedup.why];
      ++missing.problems;
      missing.kernels.insert(problem.kernel);
    }
    for (const auto& [why, missing] : reasons) {
      const std::string kernels =
          missing.kernels.size() == 1 ? "" : fmt::format(" of {} kernels", missing.kernels.size());
      out += wrap_text(fmt::format("{} is not compared on {}{}: {}", contender_letter(i),
                                   counted(missing.problems, "problem", "problems"), kernels,
                                   terminal_line(why)),
                       0, text_width(screen));
    }
  }
  return out;
}

// "the sources of 5 variants differ: conv1d (2), gemv (3)".
std::string differing_sources(const std::vector<ContenderDifference>& differences) {
  std::map<std::string, std::size_t> variants;
  std::size_t all = 0;
  for (const ContenderDifference& difference : differences) {
    if (difference.kernel.empty()) continue;
    ++variants[difference.kernel];
    ++all;
  }
  std::string list;
  for (const auto& [kernel, count] : variants)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", terminal_line(kernel), count);
  return fmt::format("the sources of {} differ (--json has each): {}",
                     fmt::format("{} variants", all), list);
}

std::string fraction_digits(double value) { return fmt::format("{:.3f}", value); }

std::string place_of(const Comparison& comparison, std::size_t problem) {
  const ProblemComparison& at = comparison.problems[problem];
  return terminal_line(at.kernel + " " + at.problem_text);
}

std::string transfer_rows(const Comparison& comparison, const Screen& screen) {
  using Align = Table::Align;
  Table table({{"best of"},
               {"on"},
               number_column("problems", 3),
               number_column("timed there", 1),
               number_column("pruned", 4),
               number_column("fails", 4),
               number_column("unknown", 4),
               {"mean", Align::kRight},
               {"worst", Align::kRight}});
  for (const TransferSummary& transfer : comparison.transfers) {
    const bool timed = transfer.timed > 0;
    table.add_row({contender_letter(transfer.of), contender_letter(transfer.on),
                   std::to_string(transfer.problems), std::to_string(transfer.timed),
                   std::to_string(transfer.stopped), std::to_string(transfer.failed),
                   std::to_string(transfer.unknown),
                   timed ? fraction_digits(transfer.geometric_mean) : "–",
                   timed ? fraction_digits(transfer.worst) : "–"});
  }
  return table.render(2, screen);
}

// "A on B is worst on softmax_topk rows=1".
std::string worst_transfers(const Comparison& comparison, const Screen& screen) {
  std::string out;
  for (const TransferSummary& transfer : comparison.transfers) {
    if (transfer.timed == 0 || transfer.worst >= 1) continue;
    out += wrap_text(
        fmt::format("{} on {}: the worst is {}", contender_letter(transfer.of),
                    contender_letter(transfer.on), place_of(comparison, transfer.worst_problem)),
        2, text_width(screen));
  }
  return out;
}

std::string portability_line(const Comparison& comparison, const Screen& screen) {
  const PortabilitySummary& summary = comparison.portability;
  if (summary.problems == 0) return "";
  return wrap_text(
      fmt::format("performance portability of the most portable configuration: {} in the mean of "
                  "{}, {} at worst ({})",
                  fraction_digits(summary.mean), counted(summary.problems, "problem", "problems"),
                  fraction_digits(summary.worst), place_of(comparison, summary.worst_problem)),
      2, text_width(screen));
}

}  // namespace

std::string comparison_contenders(const Comparison& comparison, const Screen& screen) {
  using Align = Table::Align;
  // These widths fit into 100 columns.
  Table table({{""},
               {"contender", Align::kLeft, 24, Table::Narrow::kMiddle, 12},
               {"device", Align::kLeft, 22, Table::Narrow::kMiddle, 12, 3},
               {"times", Align::kLeft, 18},
               word_column("from (UTC)", 4),
               number_column("trials", 1),
               number_column("problems", 2)});
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i) {
    const Contender& contender = comparison.contenders[i];
    const auto problems =
        std::count_if(comparison.problems.begin(), comparison.problems.end(),
                      [&](const ProblemComparison& problem) { return problem.best[i].tried; });
    const std::string kinds = kinds_of(comparison, i);
    table.add_row({contender_letter(i), contender.name, device_text(contender),
                   kinds.empty() ? "–" : kinds, minute(contender.first_started_utc),
                   format_thousands(static_cast<double>(contender.trials)),
                   format_thousands(static_cast<double>(problems))});
  }
  return table.render(2, screen);
}

std::string comparison_differences(const Comparison& comparison, const Screen& screen) {
  const std::vector<ContenderDifference>& all = comparison.differences;
  const auto sources = static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const ContenderDifference& of) { return !of.kernel.empty(); }));
  std::vector<const ContenderDifference*> shown;
  for (const ContenderDifference& difference : all)
    if (difference.kernel.empty() || sources <= kSourceRows) shown.push_back(&difference);
  std::string out;
  if (!shown.empty()) {
    ColumnBlock labels{{middle_column("what differs", 10)}, {}};
    for (const ContenderDifference* difference : shown) labels.rows.push_back({difference->what});
    std::vector<ColumnBlock> blocks;
    for (std::size_t i = 0; i < comparison.contenders.size(); ++i) {
      ColumnBlock block{{{contender_letter(i), Table::Align::kLeft, 36, Table::Narrow::kMiddle}},
                        {}};
      for (const ContenderDifference* difference : shown)
        block.rows.push_back({difference->values[i].empty() ? "–" : difference->values[i]});
      blocks.push_back(std::move(block));
    }
    out = render_split(labels, blocks, 2, screen);
  }
  if (sources > kSourceRows) out += wrap_text(differing_sources(all), 2, text_width(screen));
  return out;
}

std::string comparison_summary(const Comparison& comparison, const Screen& screen) {
  std::string out;
  for (const Tally& tally : comparison.tallies)
    out += wrap_text(tally_line(comparison, tally), 0, text_width(screen));
  return out + wrap_text(kinds_note(comparison), 0, text_width(screen)) +
         missing_ratios(comparison, screen);
}

std::string comparison_transfers(const Comparison& comparison,
                                 const ComparisonTextOptions& options) {
  // Between runs of one device it is the change of times that is of interest.
  if (comparison.one_device || comparison.transfers.empty()) return "";
  return styled(
             "what transfers: fraction of the best there that best configurations reach, over "
             "all problems",
             Style::kBold, options.colour) +
         "\n" + transfer_rows(comparison, options.screen) +
         worst_transfers(comparison, options.screen) + portability_line(comparison, options.screen);
}

std::string comparison_gaps(const Comparison& comparison, const ComparisonTextOptions& options) {
  std::string out;
  bool shared = false;
  for (const ProblemComparison& problem : comparison.problems)
    shared |= who_tried(problem).size() > 1;
  if (!shared && comparison.contenders.size() > 1 && !comparison.problems.empty())
    out += "no problem was tried by two of them, so there is nothing to compare\n";
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i) {
    std::map<std::string, std::vector<std::string>> missing;
    std::map<std::string, std::size_t> problems;
    for (const ProblemComparison& problem : comparison.problems) {
      ++problems[problem.kernel];
      if (!problem.best[i].tried) missing[problem.kernel].push_back(problem.problem_text);
    }
    std::string whole;  // kernels of which it has nothing
    std::size_t whole_kernels = 0, whole_problems = 0;
    for (const auto& [kernel, texts] : missing) {
      if (texts.size() == problems[kernel]) {
        whole += (whole.empty() ? "" : ", ") + terminal_line(kernel);
        ++whole_kernels;
        whole_problems += texts.size();
        continue;
      }
      constexpr std::size_t kNamed = 3;
      const std::size_t shown = options.top == 0 ? texts.size() : std::min(kNamed, texts.size());
      std::string named;
      for (std::size_t n = 0; n < shown; ++n)
        named += (n > 0 ? "; " : ": ") + terminal_line(texts[n]);
      if (shown < texts.size()) named += fmt::format("; and {} more", texts.size() - shown);
      out += fmt::format("{} has no trials of {}{}{}\n", contender_letter(i),
                         counted(texts.size(), "problem of ", "problems of "),
                         terminal_line(kernel), named);
    }
    const std::string count =
        whole_kernels > 1
            ? fmt::format("the {} problems of {} kernels: ", whole_problems, whole_kernels)
            : "";
    if (!whole.empty())
      out += fmt::format("{} has no trials of {}{}\n", contender_letter(i), count, whole);
  }
  return out;
}

}  // namespace warpwright
