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
  add(comparison_contenders(comparison, options.screen));
  add(comparison_differences(comparison, options.screen));
  if (comparison.problems.empty()) {
    add("nothing to compare: none of them has trials of what was asked for\n");
  } else {
    add(comparison_summary(comparison, options.screen));
    add(comparison_times(comparison, options));
    add(wrap_text(comparison_gaps(comparison, options), 0, text_width(options.screen)));
    add(comparison_transfers(comparison, options));
    add(comparison_details(comparison, options));
    add(comparison_portfolios(comparison, options));
  }
  add(comparison_ceilings(comparison, options));
  return out;
}

bool is_compared(const Comparison& comparison, const ProblemComparison& problem) {
  return who_tried(problem).size() >= std::min<std::size_t>(2, comparison.contenders.size());
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
  return out;
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

using Ceilings = std::vector<const CeilingComparison*>;

ColumnBlock ceilings_block(const Ceilings& ceilings, std::size_t contender) {
  ColumnBlock block{{{contender_letter(contender), Align::kRight}}, {}};
  if (contender > 0) block.columns.push_back({contender_letter(contender) + " / A", Align::kRight});
  for (const CeilingComparison* ceiling : ceilings) {
    const auto& value = ceiling->values[contender];
    std::vector<std::string>& row = block.rows.emplace_back();
    row.push_back(value ? ceiling_text(value->value) : "–");
    if (contender > 0) row.push_back(ceiling_ratio_text(ceiling->ratios[contender]));
  }
  return block;
}

// The ceilings that at least two contenders have, or the only one.
Ceilings compared_ceilings(const Comparison& comparison) {
  Ceilings ceilings;
  for (const CeilingComparison& ceiling : comparison.ceilings) {
    const auto known = std::count_if(ceiling.values.begin(), ceiling.values.end(),
                                     [](const auto& value) { return value.has_value(); });
    if (known > 1 || comparison.contenders.size() == 1) ceilings.push_back(&ceiling);
  }
  return ceilings;
}

}  // namespace

std::string comparison_times(const Comparison& comparison, const ComparisonTextOptions& options) {
  std::map<std::string, Problems> kernels;
  for (const ProblemComparison& problem : comparison.problems)
    if (is_compared(comparison, problem)) kernels[problem.kernel].push_back(&problem);
  std::string out;
  for (const auto& [kernel, problems] : kernels)
    out += (out.empty() ? "" : "\n") + kernel_times(comparison, problems, options);
  return out;
}

std::string comparison_ceilings(const Comparison& comparison,
                                const ComparisonTextOptions& options) {
  const Ceilings ceilings = compared_ceilings(comparison);
  const std::size_t alone = comparison.ceilings.size() - ceilings.size();
  const std::string others =
      alone == 0 ? ""
                 : fmt::format("  {} that only one contender has measured: --json lists them\n",
                               counted(alone, "ceiling", "ceilings"));
  if (ceilings.empty() && others.empty()) return "";
  const std::string title = styled("measured ceilings", Style::kBold, options.colour) + "\n";
  if (ceilings.empty()) return title + others;
  ColumnBlock labels{{{"ceiling"}, {"unit"}}, {}};
  for (const CeilingComparison* ceiling : ceilings)
    labels.rows.push_back({ceiling->name, ceiling->unit});
  std::vector<ColumnBlock> blocks;
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i)
    blocks.push_back(ceilings_block(ceilings, i));
  bool equal = false;
  for (const CeilingComparison* ceiling : ceilings)
    for (const ComparedRatio& ratio : ceiling->ratios)
      equal |= ratio.verdict == Verdict::kNoDifference;
  return title + render_split(labels, blocks, 2, options.screen) +
         (equal ? "  = no difference shown\n" : "") + others;
}

}  // namespace warpwright
