#include "output/text/importance_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/terminal_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/style.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

constexpr std::size_t kValuesShown = 8;
constexpr std::size_t kInteractionsShown = 5;
constexpr double kTrusted = 0.5;  // below this R², the shares are only a guess

// "97 %", "4.1 %", "0 %"; nearly everything is not shown as 100 %.
std::string percent(double share) {
  const double hundred = 100 * share;
  if (hundred < 0.05) return "0 %";
  if (hundred >= 99.5 && hundred < 100 - 1e-9) return ">99 %";
  return fmt::format("{:.{}f} %", hundred, hundred < 9.95 ? 1 : 0);
}

std::string kind_of_times(bool modelled, bool imported) {
  return fmt::format("{}{}", modelled ? "modelled" : "measured",
                     imported ? " elsewhere, imported" : "");
}

std::string known_us(const KnownTime& time) {
  return (time.at_least ? "≥" : "") + format_us(time.us);
}

std::string pruned_note(std::size_t pruned) {
  if (pruned == 0) return "";
  return pruned == 1 ? ", 1 of them pruned (its bound stands for its time)"
                     : fmt::format(", {} of them pruned (their bounds stand for times)", pruned);
}

std::string values_text(const std::vector<ValueTimes>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kValuesShown); ++i) {
    const ValueTimes& value = values[i];
    text += fmt::format("{}{}: {} ({})", i == 0 ? "" : ", ", value.value.to_string(),
                        known_us(value.best), known_us(value.median));
  }
  if (values.size() > kValuesShown)
    text += fmt::format(", … {} more", values.size() - kValuesShown);
  return text;
}

std::string trust_text(const VariantImportance& variant) {
  const double r2 = variant.r_squared.value_or(0);
  if (r2 <= 0) {
    return "the forest cannot predict configurations it has not seen: the shares mean nothing";
  }
  return fmt::format("the forest explains {} of the variation of configurations it has not seen{}",
                     percent(r2), r2 < kTrusted ? ": take the shares as a guess" : "");
}

std::string interactions_line(const VariantImportance& variant) {
  std::string line;
  for (std::size_t i = 0; i < std::min(variant.interactions.size(), kInteractionsShown); ++i) {
    const InteractionImportance& pair = variant.interactions[i];
    line += fmt::format("{}{} with {} {}", i == 0 ? "  together: " : ", ",
                        terminal_line(pair.first), terminal_line(pair.second), percent(pair.share));
  }
  double rest = variant.higher_share;
  for (std::size_t i = kInteractionsShown; i < variant.interactions.size(); ++i)
    rest += variant.interactions[i].share;
  if (rest >= 0.005) {
    line += fmt::format("{}{}{}", line.empty() ? "  together: " : "; ",
                        variant.interactions.empty() ? "pairs and more " : "the rest of them ",
                        percent(rest));
  }
  return line.empty() ? "" : line + "\n";
}

std::string variant_text(const VariantImportance& variant, bool colour, const Screen& screen) {
  const std::string name = variant.variant.empty() ? "all" : terminal_line(variant.variant);
  if (!variant.why_not.empty()) return fmt::format("{}: {}\n", name, variant.why_not);
  std::string text =
      styled(name, Style::kBold, colour) +
      fmt::format(": {} configurations{}, best {} µs, slowest {:.2f}x\n  {}\n",
                  variant.configurations, pruned_note(variant.pruned), known_us(variant.best),
                  variant.slowest_over_best, trust_text(variant));
  using Align = Table::Align;
  Table table({{"parameter"},
               {"alone", Align::kRight},
               number_column("R² lost", 1),
               prose_column("best (median) µs by value", 18)});
  for (const ParameterImportance& parameter : variant.parameters) {
    table.add_row({parameter.name, percent(parameter.main_share), percent(parameter.permutation),
                   values_text(parameter.values)});
  }
  return text + table.render(2, screen) + interactions_line(variant);
}

std::string near_best_table(const Landscape& landscape, const Screen& screen) {
  using Align = Table::Align;
  Table table({{"slower than the best by", Align::kLeft},
               {"configurations", Align::kRight},
               {"share", Align::kRight}});
  const auto all = static_cast<double>(landscape.configurations);
  for (const NearBest& near : landscape.near_best) {
    const bool open = near.at_most > near.configurations;
    table.add_row({fmt::format("{:.0f} % or less", 100 * near.within),
                   open ? fmt::format("{} to {}", near.configurations, near.at_most)
                        : std::to_string(near.configurations),
                   percent(static_cast<double>(near.configurations) / all)});
  }
  return table.render(2, screen);
}

std::string quantiles_line(const Landscape& landscape) {
  std::string line = "  time / best, of the fastest";
  for (const SlowdownQuantile& quantile : landscape.quantiles) {
    line += fmt::format(
        "{} {:.0f} %: {}{:.2f}x", &quantile == &landscape.quantiles.front() ? "" : ",",
        100 * quantile.fraction, quantile.slowdown.at_least ? "≥" : "", quantile.slowdown.us);
  }
  return line + "\n";
}

// The columns of a screen that the factors and numbers leave for bars.
std::size_t bar_columns(const Screen& screen) {
  constexpr std::size_t kMax = 40, kBeside = 30;
  return screen.columns == 0
             ? kMax
             : std::clamp<std::size_t>(screen.columns - std::min(screen.columns, kBeside), 8, kMax);
}

// Draws bars: full blocks for times, light ones for bounds.
std::string histogram(const Landscape& landscape, const Screen& screen) {
  const std::size_t width = bar_columns(screen);
  std::size_t most = 1;
  for (const SlowdownBin& bin : landscape.bins) most = std::max(most, bin.timed + bin.pruned);
  Table table({{"time / best", Table::Align::kRight}, {"configurations"}});
  for (const SlowdownBin& bin : landscape.bins) {
    const auto columns = [&](std::size_t count) {
      return count == 0 ? std::size_t{0} : std::max<std::size_t>(1, count * width / most);
    };
    std::string bar;
    for (std::size_t i = 0; i < columns(bin.timed); ++i) bar += "█";
    for (std::size_t i = 0; i < columns(bin.pruned); ++i) bar += "░";
    table.add_row({fmt::format("{:.2f} to {:.2f}x", bin.low, bin.high),
                   fmt::format("{}{}{}", bar, bar.empty() ? "" : " ", bin.timed + bin.pruned)});
  }
  return table.render(2, screen);
}

std::string minima_lines(const Landscape& landscape) {
  const LocalMinima& minima = landscape.minima;
  if (minima.isolated == landscape.configurations)
    return "  no two configurations differ in one parameter only: nothing is known of local "
           "minima\n";
  std::string text = fmt::format(
      "  {} where changing one parameter never helps, {} of them within {:.0f} % of the best\n",
      minima.minima == 1 ? "1 local minimum" : fmt::format("{} local minima", minima.minima),
      minima.good, 100 * kGoodWithin);
  text += fmt::format(
      "  steepest descent from a random configuration ends within {:.0f} % of the best with a "
      "chance "
      "of {} ({:.1f} neighbours each{})\n",
      100 * kGoodWithin, percent(minima.descents_to_good), minima.mean_neighbours,
      minima.isolated == 0 ? std::string() : fmt::format(", {} have none", minima.isolated));
  return text;
}

std::string budget_table(const Landscape& landscape, const Screen& screen) {
  using Align = Table::Align;
  const bool failures = landscape.failed > 0;
  std::vector<Table::Column> heads = {
      {"random trials", Align::kRight},
      {"expected time / best", Align::kRight},
      {fmt::format("within {:.0f} %", 100 * kGoodWithin), Align::kRight}};
  if (failures) heads.push_back({"nothing ran", Align::kRight});
  Table table(heads);
  for (const BudgetPoint& point : landscape.budget) {
    std::vector<std::string> cells = {format_thousands(static_cast<double>(point.trials)),
                                      fmt::format("{:.3f}x", point.expected_slowdown),
                                      percent(point.good_chance)};
    if (failures) cells.push_back(percent(point.nothing_chance));
    table.add_row(std::move(cells));
  }
  return table.render(2, screen);
}

}  // namespace

std::string importance_text(const Importance& importance, bool colour, const Screen& screen) {
  std::string text = styled(fmt::format("what decides the time ({})",
                                        kind_of_times(importance.modelled, importance.imported)),
                            Style::kBold, colour) +
                     fmt::format(": functional ANOVA over the logarithm of {}{}\n",
                                 counted(importance.configurations, "time", "times"),
                                 pruned_note(importance.pruned));
  if (importance.variant_share) {
    text += fmt::format("the variant alone explains {} of the variation; within each:\n",
                        percent(*importance.variant_share));
  }
  bool shares = false;
  for (const VariantImportance& variant : importance.variants) {
    text += variant_text(variant, colour, screen);
    shares = shares || variant.why_not.empty();
  }
  if (shares) {
    text +=
        "alone: share of the variation that the parameter explains by itself; R² lost: of the "
        "prediction, when it is not known\n";
  }
  return text;
}

std::string landscape_text(const Landscape& landscape, bool colour, const Screen& screen) {
  std::string text =
      styled(fmt::format("landscape ({})", kind_of_times(landscape.modelled, landscape.imported)),
             Style::kBold, colour) +
      fmt::format(": {}{}", counted(landscape.configurations, "configuration", "configurations"),
                  pruned_note(landscape.pruned));
  if (landscape.failed > 0) text += fmt::format("; {} failed", landscape.failed);
  if (landscape.noisy > 0) text += fmt::format("; {} noisy, left out", landscape.noisy);
  text += "\n" + near_best_table(landscape, screen) + quantiles_line(landscape) +
          histogram(landscape, screen) + minima_lines(landscape) + budget_table(landscape, screen);
  const std::size_t enough = landscape.trials_for_good;
  text += fmt::format("  the best of {} is within {:.0f} % of the best with a chance of 95 %\n",
                      counted(enough, "random trial", "random trials"), 100 * kGoodWithin);
  return text;
}

}  // namespace warpwright
