#include "output/text/model_ranking_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/terminal_text.h"
#include "output/text/comparison_parts.h"
#include "output/text/split_table.h"

namespace warpwright {
namespace {

using Align = Table::Align;

std::string two_digits(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "–";
}

// The table of one kernel on one device.
std::string group_table(const std::vector<const ModelRanking*>& rankings, const Screen& screen) {
  ColumnBlock labels{{middle_column("problem", 12)}, {}};
  ColumnBlock figures{{number_column("of", 3),
                       number_column("drawn", 4),
                       {"tau", Align::kRight},
                       number_column("timed", 1),
                       number_column("chance", 2),
                       {"best pick", Align::kRight}},
                      {}};
  for (const ModelRanking* ranking : rankings) {
    labels.rows.push_back({ranking->problem_text});
    figures.rows.push_back({fmt::format("{}", ranking->of), fmt::format("{}", ranking->drawn),
                            two_digits(ranking->tau), two_digits(ranking->tau_timed),
                            two_digits(ranking->chance), ratio_text(ranking->best_pick)});
  }
  return fmt::format("{}  measured on {}\n", terminal_line(rankings.front()->kernel),
                     rankings.front()->device_name) +
         render_split(labels, {figures}, 2, screen);
}

std::string summary(const std::vector<ModelRanking>& rankings) {
  std::vector<double> taus;
  std::size_t good = 0;
  for (const ModelRanking& ranking : rankings) {
    if (ranking.tau) taus.push_back(*ranking.tau);
    good += ranking.best_pick <= kGoodPick ? 1 : 0;
  }
  std::sort(taus.begin(), taus.end());
  std::string text;
  if (!taus.empty())
    text = fmt::format("median tau {:.2f}; ",
                       (taus[(taus.size() - 1) / 2] + taus[taus.size() / 2]) / 2);
  return text + fmt::format("best pick within {:.0f} % of the best on {} of {}\n",
                            100 * (kGoodPick - 1), good,
                            counted(rankings.size(), "problem", "problems"));
}

}  // namespace

std::string model_ranking_text(const std::vector<ModelRanking>& rankings, const Screen& screen) {
  std::string out;
  for (auto ranking = rankings.begin(); ranking != rankings.end();) {
    std::vector<const ModelRanking*> group;
    const ModelRanking& first = *ranking;
    for (; ranking != rankings.end() && ranking->kernel == first.kernel &&
           ranking->device_name == first.device_name;
         ++ranking)
      group.push_back(&*ranking);
    out += group_table(group, screen) + "\n";
  }
  return out + summary(rankings) +
         wrap_text(
             fmt::format(
                 "tau: Kendall's tau-b of modelled and measured times over all that were drawn, "
                 "those "
                 "that were stopped early at the time they took at least; timed: over those timed "
                 "to "
                 "the end; best pick: the best of the model's first {}, as a multiple of the best; "
                 "chance: that an equally large random choice holds one within {:.0f} %\n",
                 kModelPicks, 100 * (kGoodPick - 1)),
             0, text_width(screen));
}

}  // namespace warpwright
