#include "output/text/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "output/text/comparison_parts.h"
#include "output/text/split_table.h"
#include "output/text/style.h"

namespace warpwright {
namespace {

// Shortens "2026-03-01T12:00:00Z" to "2026-03-01 12:00"; other texts stay unchanged.
std::string minute(const std::string& utc) {
  if (utc.size() < 16 || utc[10] != 'T') return utc;
  return utc.substr(0, 10) + " " + utc.substr(11, 5);
}

std::string contenders_table(const Comparison& comparison, const Screen& screen) {
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
    table.add_row({contender_letter(i), contender.name, contender.device_name,
                   kinds.empty() ? "–" : kinds, minute(contender.first_started_utc),
                   format_thousands(static_cast<double>(contender.trials)),
                   format_thousands(static_cast<double>(problems))});
  }
  return table.render(2, screen);
}

std::string differences_table(const Comparison& comparison, const Screen& screen) {
  if (comparison.differences.empty()) return "";
  ColumnBlock labels{{middle_column("what differs", 10)}, {}};
  for (const ContenderDifference& difference : comparison.differences)
    labels.rows.push_back({difference.what});
  std::vector<ColumnBlock> blocks;
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i) {
    ColumnBlock block{{{contender_letter(i), Table::Align::kLeft, 36, Table::Narrow::kMiddle}}, {}};
    for (const ContenderDifference& difference : comparison.differences)
      block.rows.push_back({difference.values[i].empty() ? "–" : difference.values[i]});
    blocks.push_back(std::move(block));
  }
  return render_split(labels, blocks, 2, screen);
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

std::string summary(const Comparison& comparison, const Screen& screen) {
  std::string out;
  for (const Tally& tally : comparison.tallies)
    out += wrap_text(tally_line(comparison, tally), 0, text_width(screen));
  return out + wrap_text(kinds_note(comparison), 0, text_width(screen));
}

}  // namespace

std::string contender_letter(std::size_t index) {
  std::string letter;
  for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
    letter.insert(letter.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return letter;
}

std::string ratio_text(const std::optional<double>& ratio) {
  if (!ratio) return "–";
  const int digits = *ratio < 0.0995 ? 3 : *ratio < 9.995 ? 2 : *ratio < 99.95 ? 1 : 0;
  return digits == 0 ? format_thousands(*ratio) + "x" : fmt::format("{:.{}f}x", *ratio, digits);
}

std::string verdict_mark(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "+";
    case Verdict::kSlower:
      return "-";
    case Verdict::kNoDifference:
      return "=";
    case Verdict::kNotJudged:
      return "?";
    case Verdict::kFirst:
    case Verdict::kNotCompared:
      return "";
  }
  return "";
}

std::string mark_legend(const std::vector<Verdict>& seen) {
  std::string legend;
  const auto explain = [&](Verdict verdict, const char* meaning) {
    if (std::find(seen.begin(), seen.end(), verdict) != seen.end())
      legend += fmt::format("{}{} {}", legend.empty() ? "" : "; ", verdict_mark(verdict), meaning);
  };
  explain(Verdict::kFaster, "faster");
  explain(Verdict::kSlower, "slower");
  explain(Verdict::kNoDifference, "no difference shown");
  explain(Verdict::kNotJudged, "not judged, a time has no interval");
  return legend.empty() ? "" : legend + "\n";
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return format_thousands(static_cast<double>(count)) + " " + (count == 1 ? one : many);
}

std::string kinds_of(const Comparison& comparison, std::size_t contender,
                     const std::string& kernel) {
  std::set<TimeKind> kinds;
  for (const ProblemComparison& problem : comparison.problems) {
    if (!kernel.empty() && problem.kernel != kernel) continue;
    if (problem.best[contender].entry) kinds.insert(problem.best[contender].kind);
  }
  std::string text;
  for (const TimeKind kind : kinds) {
    text += text.empty() ? "" : "/";
    text += time_kind_name(kind);
  }
  return text;
}

std::string letters(const std::vector<std::size_t>& contenders) {
  std::string text;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (i > 0) text += i + 1 == contenders.size() ? " and " : ", ";
    text += contender_letter(contenders[i]);
  }
  return text;
}

std::string comparison_text(const Comparison& comparison, const ComparisonTextOptions& options) {
  std::string out;
  const auto add = [&out](const std::string& section) {
    if (!section.empty()) out += (out.empty() ? "" : "\n") + section;
  };
  add(contenders_table(comparison, options.screen));
  add(differences_table(comparison, options.screen));
  if (comparison.problems.empty()) {
    add("nothing to compare: none of them has trials of what was asked for\n");
  } else {
    add(summary(comparison, options.screen));
    add(comparison_times(comparison, options));
    add(comparison_details(comparison, options));
    add(comparison_portfolios(comparison, options));
  }
  add(comparison_ceilings(comparison, options));
  add(wrap_text(comparison_gaps(comparison), 0, text_width(options.screen)));
  return out;
}

}  // namespace warpwright
