#include "output/text/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  std::vector<std::string> letters;
  for (const std::size_t contender : contenders) letters.push_back(contender_letter(contender));
  return join_with_and(letters);
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

// The tables of best times and of ceilings.

namespace {

using Problems = std::vector<const ProblemComparison*>;
using Align = Table::Align;

constexpr std::size_t kProblemWidth = 40;

std::string interval_text(double value, const std::optional<double>& low,
                          const std::optional<double>& high) {
  if (!low || !high || value <= 0) return "–";
  return fmt::format("{:.2f} %", 100 * std::max(*high - value, value - *low) / value);
}

std::string time_text(const ProblemBest& best) {
  if (best.entry) return format_us(best.entry->median_us);
  return best.tried ? "no time" : "–";
}

// The reference of a contender on these problems; nullopt if there are several.
std::optional<std::size_t> reference_of(const Problems& problems, std::size_t contender) {
  std::set<std::size_t> references;
  for (const ProblemComparison* problem : problems) {
    const auto& against = problem->best[contender].speedup.against;
    if (against) references.insert(*against);
  }
  if (references.size() > 1) return std::nullopt;
  return references.empty() ? 0 : *references.begin();
}

// "1.03x faster" if there is room for words, else "1.03x +"; "A 1.03x +" if the column's title does
// not name the other contender.
std::string verdict_text(const ComparedRatio& speedup, bool words, bool says_against) {
  if (!speedup.ratio) return "–";
  return (says_against ? contender_letter(*speedup.against) + " " : "") +
         ratio_text(speedup.ratio) + " " +
         (words ? std::string(verdict_name(speedup.verdict)) : verdict_mark(speedup.verdict));
}

bool any_interval(const Problems& problems, std::size_t contender) {
  return std::any_of(problems.begin(), problems.end(), [&](const ProblemComparison* problem) {
    const ProblemBest& best = problem->best[contender];
    return best.entry && best.kind != TimeKind::kModelled && best.entry->ci_low_us &&
           best.entry->ci_high_us;
  });
}

ColumnBlock times_block(const Comparison& comparison, const Problems& problems,
                        std::size_t contender) {
  const std::string letter = contender_letter(contender);
  const std::string kinds = kinds_of(comparison, contender, problems.front()->kernel);
  const bool interval = any_interval(problems, contender);
  const bool words = comparison.contenders.size() == 2;
  const std::optional<std::size_t> reference = reference_of(problems, contender);
  const bool ratio = std::any_of(problems.begin(), problems.end(), [&](const auto* problem) {
    return problem->best[contender].speedup.ratio.has_value();
  });
  ColumnBlock block;
  block.columns.push_back({letter + (kinds.empty() ? "" : " " + kinds), Align::kRight});
  if (interval) block.columns.push_back(number_column("±", 1));
  if (ratio) {
    block.columns.push_back(
        {fmt::format("{} against {}", letter, reference ? contender_letter(*reference) : "…"),
         words ? Align::kLeft : Align::kRight, 0, Table::Narrow::kWrap, 12});
  }
  for (const ProblemComparison* problem : problems) {
    const ProblemBest& best = problem->best[contender];
    std::vector<std::string>& row = block.rows.emplace_back();
    row.push_back(time_text(best));
    if (interval) {
      row.push_back(best.entry ? interval_text(best.entry->median_us, best.entry->ci_low_us,
                                               best.entry->ci_high_us)
                               : "–");
    }
    if (ratio) row.push_back(verdict_text(best.speedup, words, !reference));
  }
  return block;
}

// True if no contender before it has a time, so that no ratio is missing.
bool first_with_a_time(const ProblemComparison& problem, std::size_t contender) {
  for (std::size_t i = 0; i < contender; ++i)
    if (problem.best[i].entry) return false;
  return problem.best[contender].entry.has_value();
}

// "B is not compared on 3 problems: modelled, the first is measured".
std::string missing_ratios(const Comparison& comparison, const Problems& problems) {
  std::string out;
  for (std::size_t i = 1; i < comparison.contenders.size(); ++i) {
    std::map<std::string, std::size_t> reasons;
    for (const ProblemComparison* problem : problems) {
      const ComparedRatio& speedup = problem->best[i].speedup;
      if (!speedup.ratio && problem->best[i].tried && !first_with_a_time(*problem, i))
        ++reasons[speedup.why];
    }
    for (const auto& [why, count] : reasons) {
      out += fmt::format("  {} is not compared on {}: {}\n", contender_letter(i),
                         counted(count, "problem", "problems"), why);
    }
  }
  return out;
}

std::string legend_of(const Problems& problems) {
  std::vector<Verdict> seen;
  for (const ProblemComparison* problem : problems)
    for (const ProblemBest& best : problem->best) seen.push_back(best.speedup.verdict);
  const std::string legend = mark_legend(seen);
  return legend.empty() ? "" : "  " + legend;
}

std::string kernel_times(const Comparison& comparison, const Problems& problems,
                         const ComparisonTextOptions& options) {
  std::vector<std::string> texts;
  for (const ProblemComparison* problem : problems) texts.push_back(problem->problem_text);
  const ProblemNames names = problem_names(texts);
  ColumnBlock labels{{{"problem", Align::kLeft, kProblemWidth, Table::Narrow::kMiddle, 12}}, {}};
  for (const std::string& name : names.names) labels.rows.push_back({name});
  std::vector<ColumnBlock> blocks;
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i)
    blocks.push_back(times_block(comparison, problems, i));
  std::string out =
      styled(terminal_line(fmt::format("{}: best time of each problem in µs, ± 95 % interval{}",
                                       problems.front()->kernel,
                                       names.shared.empty() ? "" : "; all have " + names.shared)),
             Style::kBold, options.colour) +
      "\n";
  out += render_split(labels, blocks, 2, options.screen);
  if (comparison.contenders.size() != 2) out += legend_of(problems);
  return out + missing_ratios(comparison, problems);
}

// "4,425", "3.47".
std::string ceiling_text(double value) {
  return value < 99.95 ? fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1)
                       : format_thousands(value);
}

// A higher ceiling is neither faster nor slower.
std::string ceiling_ratio_text(const ComparedRatio& ratio) {
  if (!ratio.ratio) return "–";
  return ratio_text(ratio.ratio) + (ratio.verdict == Verdict::kNoDifference ? " =" : "");
}

ColumnBlock ceilings_block(const Comparison& comparison, std::size_t contender) {
  ColumnBlock block{{{contender_letter(contender), Align::kRight}}, {}};
  if (contender > 0) block.columns.push_back({contender_letter(contender) + " / A", Align::kRight});
  for (const CeilingComparison& ceiling : comparison.ceilings) {
    const auto& value = ceiling.values[contender];
    std::vector<std::string>& row = block.rows.emplace_back();
    row.push_back(value ? ceiling_text(value->value) : "–");
    if (contender > 0) row.push_back(ceiling_ratio_text(ceiling.ratios[contender]));
  }
  return block;
}

}  // namespace

std::string comparison_times(const Comparison& comparison, const ComparisonTextOptions& options) {
  std::map<std::string, Problems> kernels;
  for (const ProblemComparison& problem : comparison.problems)
    kernels[problem.kernel].push_back(&problem);
  std::string out;
  for (const auto& [kernel, problems] : kernels)
    out += (out.empty() ? "" : "\n") + kernel_times(comparison, problems, options);
  return out;
}

std::string comparison_ceilings(const Comparison& comparison,
                                const ComparisonTextOptions& options) {
  if (comparison.ceilings.empty()) return "";
  ColumnBlock labels{{{"ceiling"}, {"unit"}}, {}};
  for (const CeilingComparison& ceiling : comparison.ceilings)
    labels.rows.push_back({ceiling.name, ceiling.unit});
  std::vector<ColumnBlock> blocks;
  bool equal = false;
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i)
    blocks.push_back(ceilings_block(comparison, i));
  for (const CeilingComparison& ceiling : comparison.ceilings)
    for (const ComparedRatio& ratio : ceiling.ratios)
      equal |= ratio.verdict == Verdict::kNoDifference;
  return styled("measured ceilings", Style::kBold, options.colour) + "\n" +
         render_split(labels, blocks, 2, options.screen) +
         (equal ? "  = no difference shown\n" : "");
}

}  // namespace warpwright
