#include "output/text/comparison_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "core/terminal_text.h"
#include "output/text/ranking_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/style.h"
#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {

// Single problems in detail: the winning configurations, their performance elsewhere, and
// configurations that do well everywhere.

namespace {

using Align = Table::Align;

// Between two runs of one device, a fraction of best above this is not worth showing.
constexpr double kAsGood = 0.995;

std::string fraction_text(double fraction) { return fmt::format("{:.3f}", fraction); }

std::string reached_text(const TransferCell& cell, bool winner) {
  switch (cell.reached.how) {
    case Reached::How::kNotTried:
      return cell.configuration.empty() ? "–" : "not tried";
    case Reached::How::kTimed:
      return (winner ? "" : "~") + fraction_text(*cell.reached.fraction);
    case Reached::How::kPruned:
      return cell.reached.fraction ? "≤ " + fraction_text(*cell.reached.fraction) : "pruned";
    case Reached::How::kFailed:
      return std::string(status_name(cell.reached.status));
    case Reached::How::kUntimed:
      return "no time";
  }
  return "–";
}

bool is_winner(const ProblemBest& best, const TransferCell& cell) {
  return best.entry && best.entry->row.trial.configuration_text == cell.configuration;
}

std::string times_table(const Comparison& comparison, const ProblemComparison& problem,
                        const Screen& screen) {
  Table table({{""},
               {"times"},
               {"µs", Align::kRight},
               number_column("95 %", 1),
               number_column("speed-up", 2),
               number_column("interval of it", 3),
               prose_column("verdict", 10),
               number_column("ranked", 4),
               {"protocol", Align::kLeft, 20, Table::Narrow::kMiddle, 12, 5}});
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i) {
    const ProblemBest& best = problem.best[i];
    if (!best.tried) continue;
    const std::string ranked = fmt::format("{} of {}", best.ranked, best.trials);
    if (!best.entry) {
      table.add_row({contender_letter(i), "–", "no time", "–", "–", "–", "–", ranked});
      continue;
    }
    const ComparedRatio& speedup = best.speedup;
    table.add_row({contender_letter(i), std::string(time_kind_name(best.kind)),
                   format_us(best.entry->median_us),
                   half_width(best.entry->median_us, best.entry->ci_low_us, best.entry->ci_high_us),
                   ratio_text(speedup.ratio) +
                       (speedup.against ? " vs " + contender_letter(*speedup.against) : ""),
                   speedup.low ? fmt::format("{:.3f} to {:.3f}", *speedup.low, *speedup.high) : "–",
                   speedup.ratio ? std::string(verdict_name(speedup.verdict)) : "–", ranked,
                   best.protocol});
  }
  return table.render(2, screen);
}

// "  A: threshold CHUNK=4 THREADS=512 (2 more tie with it)"; a configuration that wins twice is
// printed once.
std::string winners(const ProblemComparison& problem, const Screen& screen) {
  std::string out;
  for (std::size_t i = 0; i < problem.best.size(); ++i) {
    const ProblemBest& best = problem.best[i];
    if (!best.entry) continue;
    const std::string& configuration = best.entry->row.trial.configuration_text;
    std::string what = terminal_line(configuration);
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const auto& other = problem.best[earlier].entry;
      if (!other || other->row.trial.configuration_text != configuration) continue;
      what = "as " + contender_letter(earlier);
      break;
    }
    if (!best.entry->version.empty()) what += ", which is " + terminal_line(best.entry->version);
    if (best.ties > 0) what += " (" + counted(best.ties, "more ties", "more tie") + " with it)";
    out += wrap_text(contender_letter(i) + ": " + what, 2, text_width(screen));
  }
  return out;
}

// Returns "" if every configuration is as good everywhere as at home, unless `always`.
std::string transfer_table(const ProblemComparison& problem, bool always, const Screen& screen) {
  const std::vector<std::size_t> of = who_has_time(problem);
  const std::vector<std::size_t> on = who_tried(problem);
  if (of.empty() || on.size() < 2) return "";
  ColumnBlock labels{{{"best of"}}, {}};
  for (const std::size_t row : of) labels.rows.push_back({contender_letter(row)});
  std::vector<ColumnBlock> blocks;
  bool by_tie = false, needed = always;
  for (const std::size_t column : on) {
    ColumnBlock block{{{"on " + contender_letter(column), Align::kRight}}, {}};
    for (const std::size_t row : of) {
      const TransferCell& cell = problem.transfer[row][column];
      const bool winner = is_winner(problem.best[row], cell);
      needed |= cell.reached.how != Reached::How::kTimed || *cell.reached.fraction < kAsGood;
      by_tie |= !winner && cell.reached.how == Reached::How::kTimed;
      block.rows.push_back({reached_text(cell, winner)});
    }
    blocks.push_back(std::move(block));
  }
  if (!needed) return "";
  std::string out = "  fraction of the best there that each one's best configuration reaches\n" +
                    render_split(labels, blocks, 2, screen);
  if (by_tie) {
    out +=
        "  ~ by a configuration that ties with the winner where it comes from and does better "
        "here\n";
  }
  return out;
}

// The values alone, and a block of efficiencies per platform.
ColumnBlock portable_values(const Portability& portability, std::size_t shown) {
  ColumnBlock block{{{"portability", Align::kRight}}, {}};
  for (std::size_t i = 0; i < shown; ++i) {
    const PortableConfiguration& configuration = portability.configurations[i];
    block.rows.push_back(
        {(configuration.at_most ? "≤ " : "") + fraction_text(configuration.value)});
  }
  return block;
}

ColumnBlock efficiencies_on(const Portability& portability, std::size_t platform,
                            std::size_t shown) {
  ColumnBlock block{{{"on " + contender_letter(portability.platforms[platform]), Align::kRight}},
                    {}};
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& efficiency = portability.configurations[i].efficiencies[platform];
    block.rows.push_back({efficiency ? fraction_text(*efficiency) : "fails"});
  }
  return block;
}

// Beyond this many platforms the columns go to several tables, and the configurations below them.
constexpr std::size_t kPlatformsInOneTable = 8;

std::string portable_table(const Portability& portability, std::size_t shown,
                           const Screen& screen) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < shown; ++i)
    texts.push_back(portability.configurations[i].configuration);
  ColumnBlock labels = portable_values(portability, shown);
  std::vector<ColumnBlock> blocks;
  for (std::size_t platform = 0; platform < portability.platforms.size(); ++platform)
    blocks.push_back(efficiencies_on(portability, platform, shown));
  if (blocks.size() <= kPlatformsInOneTable) {
    for (const ColumnBlock& block : blocks) append_columns(labels, block);
    return render_with_texts(labels, "configuration", texts, 2, screen);
  }
  std::string list;
  labels.columns.insert(labels.columns.begin(), {"", Align::kRight});
  for (std::size_t i = 0; i < shown; ++i) {
    labels.rows[i].insert(labels.rows[i].begin(), std::to_string(i + 1));
    list += wrap_text(fmt::format("{}: {}", i + 1, terminal_line(texts[i])), 2, text_width(screen));
  }
  return render_split(labels, blocks, 2, screen) + list;
}

std::string portability_table(const Portability& portability, std::size_t top,
                              const Screen& screen) {
  if (portability.platforms.size() < 2) return "";
  const std::string over = letters(portability.platforms);
  const std::size_t all = portability.configurations.size();
  if (all == 0) {
    return wrap_text(
        fmt::format("no configuration was tried by all of {}: no performance portability", over), 2,
        text_width(screen));
  }
  const std::size_t shown = top == 0 ? all : std::min(top, all);
  std::string out = wrap_text(fmt::format("performance portability over {}: harmonic mean of the "
                                          "fractions of best, 0 where it fails",
                                          over),
                              2, text_width(screen));
  out += portable_table(portability, shown, screen);
  out += fmt::format("  {} tried by all", counted(all, "configuration", "configurations"));
  if (shown < all) out += fmt::format(", {} not shown", format_thousands(double(all - shown)));
  if (portability.failing > 0)
    out += fmt::format("; {} somewhere", counted(portability.failing, "fails", "fail"));
  if (portability.open() > 0)
    out += fmt::format("; {} pruned may be better", format_thousands(double(portability.open())));
  return out + "\n";
}

// The importance of a problem's details: the largest judged change.
double change(const ProblemComparison& problem) {
  double largest = 0;
  for (const ProblemBest& best : problem.best) {
    const ComparedRatio& speedup = best.speedup;
    if (speedup.verdict == Verdict::kFaster || speedup.verdict == Verdict::kSlower)
      largest = std::max(largest, std::abs(std::log(*speedup.ratio)));
  }
  return largest;
}

bool worth_detail(const Comparison& comparison, const ProblemComparison& problem) {
  const std::size_t times = who_has_time(problem).size();
  if (times == 0 || !is_compared(comparison, problem)) return false;
  return !comparison.one_device || change(problem) > 0;
}

std::string problem_detail(const Comparison& comparison, const ProblemComparison& problem,
                           const ComparisonTextOptions& options) {
  std::string out = styled(terminal_line(problem.kernel + "  " + problem.problem_text),
                           Style::kBold, options.colour) +
                    "\n" + times_table(comparison, problem, options.screen) +
                    winners(problem, options.screen);
  const auto add = [&out](const std::string& part) {
    if (!part.empty()) out += "\n" + part;
  };
  add(transfer_table(problem, !comparison.one_device, options.screen));
  // Portability is meaningless for two versions of one device.
  if (!comparison.one_device)
    add(portability_table(problem.portability, options.top, options.screen));
  return out;
}

}  // namespace

std::string comparison_details(const Comparison& comparison, const ComparisonTextOptions& options) {
  std::vector<const ProblemComparison*> problems;
  for (const ProblemComparison& problem : comparison.problems)
    if (worth_detail(comparison, problem)) problems.push_back(&problem);
  std::stable_sort(problems.begin(), problems.end(),
                   [](const auto* a, const auto* b) { return change(*a) > change(*b); });
  const std::size_t shown =
      options.top == 0 ? problems.size() : std::min(options.top, problems.size());
  std::string out;
  for (std::size_t i = 0; i < shown; ++i)
    out += (i > 0 ? "\n" : "") + problem_detail(comparison, *problems[i], options);
  if (shown < problems.size()) {
    out += fmt::format("\n… {} in detail: --top 0 shows all\n",
                       counted(problems.size() - shown, "more problem", "more problems"));
  }
  return out;
}

std::string comparison_portfolios(const Comparison& comparison,
                                  const ComparisonTextOptions& options) {
  // Runs of one device share one portfolio, which is not of interest in such a comparison.
  const bool runs = comparison.one_device && comparison.contenders.size() > 1;
  // A portfolio of a kernel that only one contender has tried compares nothing.
  std::set<std::string> compared;
  for (const ProblemComparison& problem : comparison.problems)
    if (is_compared(comparison, problem)) compared.insert(problem.kernel);
  const bool any = std::any_of(
      comparison.portfolios.begin(), comparison.portfolios.end(),
      [&](const CoveringPortfolio& portfolio) { return compared.contains(portfolio.kernel); });
  if (!any || runs) return "";
  const double within = comparison.portfolios.front().within;
  std::string out = styled(fmt::format("smallest portfolios: within {:.4g} % of the best time of "
                                       "every problem on every contender",
                                       100 * within),
                           Style::kBold, options.colour) +
                    "\n";
  for (const CoveringPortfolio& portfolio : comparison.portfolios) {
    if (!compared.contains(portfolio.kernel)) continue;
    const std::size_t size = portfolio.members.size();
    out += fmt::format("  {}: {} of {} for {}, {}\n", terminal_line(portfolio.kernel),
                       counted(size, "configuration", "configurations"),
                       format_thousands(double(portfolio.candidates)),
                       counted(portfolio.places, "best time", "best times"),
                       portfolio.proved_smallest()
                           ? "proved smallest"
                           : fmt::format("greedy: at least {} are needed", portfolio.at_least));
    ColumnBlock rows{{{"best for", Align::kRight}, {"at worst", Align::kRight}}, {}};
    std::vector<std::string> texts;
    for (const PortfolioMember& member : portfolio.members) {
      rows.rows.push_back(
          {format_thousands(double(member.serves)), fraction_text(member.worst_fraction)});
      texts.push_back(member.configuration);
    }
    out += render_with_texts(rows, "configuration", texts, 4, options.screen);
  }
  return out;
}

namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

ProblemNames problem_names(const std::vector<std::string>& problem_texts) {
  std::vector<Words> problems;
  for (const std::string& text : problem_texts) problems.push_back(words_of(text));
  const auto everywhere = [&](const std::string& word) {
    return std::all_of(problems.begin(), problems.end(), [&](const Words& words) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
  };
  ProblemNames out;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::string name, shared;
    for (const std::string& word : problems[i]) {
      std::string& to = everywhere(word) ? shared : name;
      to += (to.empty() ? "" : " ") + word;
    }
    out.shared = problems.size() > 1 ? shared : "";
    out.names.push_back(name.empty() || problems.size() == 1 ? problem_texts[i] : name);
  }
  return out;
}

}  // namespace warpwright
