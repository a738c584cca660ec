#include "output/text/agreement_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/terminal_text.h"
#include "output/text/comparison_parts.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

using Align = Table::Align;

std::string tau_text(const std::optional<double>& tau) {
  return tau ? fmt::format("{:.4f}", *tau) : "–";
}

std::string cost_text(const WinnerElsewhere& winner) {
  switch (winner.how) {
    case WinnerElsewhere::How::kTimed:
      return fmt::format("{:.4f}x", *winner.cost);
    case WinnerElsewhere::How::kPruned:
      return "pruned";
    case WinnerElsewhere::How::kNotTimed:
      return "not timed";
  }
  return "";
}

std::string contenders_table(const Agreement& agreement, const Screen& screen) {
  Table table({{""},
               {"contender", Align::kLeft, 40, Table::Narrow::kMiddle, 12},
               {"device", Align::kLeft, 30, Table::Narrow::kMiddle, 12, 2},
               number_column("trials", 1)});
  for (std::size_t i = 0; i < 2; ++i) {
    const Contender& contender = agreement.contenders[i];
    table.add_row({contender_letter(i), contender.name, contender.device_name,
                   format_thousands(static_cast<double>(contender.trials))});
  }
  return table.render(2, screen);
}

// "rows=1", with the protocol if a problem has several boards; and the sizes that all share.
ProblemNames board_names(const std::vector<const BoardAgreement*>& boards) {
  std::vector<std::string> texts;
  for (const BoardAgreement* board : boards) {
    const auto of_problem = std::count_if(
        boards.begin(), boards.end(),
        [&](const BoardAgreement* other) { return other->problem == board->problem; });
    texts.push_back(board->problem_text + (of_problem > 1 ? " " + board->protocols[0] : ""));
  }
  return problem_names(texts);
}

std::string kernel_table(const std::string& kernel,
                         const std::vector<const BoardAgreement*>& boards, const Screen& screen) {
  ColumnBlock labels{{middle_column("problem", 12)}, {}};
  const ProblemNames names = board_names(boards);
  for (const std::string& name : names.names) labels.rows.push_back({name});
  ColumnBlock order{{{"both", Align::kRight},
                     {"tau-b", Align::kRight},
                     {"known", Align::kRight},
                     {"tau-b", Align::kRight}},
                    {}};
  ColumnBlock ties{
      {{"tie sets"}, {"A", Align::kRight}, {"B", Align::kRight}, {"shared", Align::kRight}}, {}};
  ColumnBlock winners{{{"winner"}, {"A's in B", Align::kRight}, {"B's in A", Align::kRight}}, {}};
  for (const BoardAgreement* board : boards) {
    order.rows.push_back({fmt::format("{}", board->timed_in_both), tau_text(board->tau),
                          fmt::format("{}", board->known_in_both),
                          tau_text(board->tau_with_pruned)});
    ties.rows.push_back({std::string(tie_sets_name(board->tie_sets)),
                         fmt::format("{}", board->tied[0]), fmt::format("{}", board->tied[1]),
                         fmt::format("{}", board->tied_in_both)});
    winners.rows.push_back({board->winners[0] == board->winners[1] ? "same" : "differs",
                            cost_text(board->elsewhere[0]), cost_text(board->elsewhere[1])});
  }
  const std::string shared =
      names.shared.empty()
          ? ""
          : wrap_text("all problems: " + names.shared + "\n", 2, text_width(screen));
  return terminal_line(kernel) + "\n" + shared +
         render_split(labels, {order, ties, winners}, 2, screen);
}

std::string legend(const Agreement& agreement, const Screen& screen) {
  std::string text =
      "both: configurations timed in both, and tau-b, Kendall's, of their times: 1 is the same "
      "order, 0 chance, -1 the reverse; known: with those that either stopped early, which tie "
      "behind all others; tie sets: what ties with the best; A's in B: the time of A's winner in B "
      "over that of B's own\n";
  const bool mixed = std::any_of(
      agreement.boards.begin(), agreement.boards.end(),
      [](const BoardAgreement& board) { return board.protocols[0] != board.protocols[1]; });
  if (mixed)
    text +=
        "times here are of two kinds or protocols: only their orders are compared, and no time of "
        "A is divided by one of B\n";
  return wrap_text(text, 0, text_width(screen));
}

// Summarises the agreement of the two over all boards.
std::string summary(const Agreement& agreement, const Screen& screen) {
  std::vector<double> taus;
  std::size_t same = 0, sharing = 0;
  for (const BoardAgreement& board : agreement.boards) {
    if (board.tau) taus.push_back(*board.tau);
    same += board.winners[0] == board.winners[1] ? 1 : 0;
    sharing += board.tie_sets == TieSets::kDisjoint ? 0 : 1;
  }
  std::sort(taus.begin(), taus.end());
  std::string text =
      fmt::format("{}: the same winner on {}, a shared tie set on {}",
                  counted(agreement.boards.size(), "board", "boards"), same, sharing);
  if (!taus.empty()) {
    const double median = (taus[(taus.size() - 1) / 2] + taus[taus.size() / 2]) / 2;
    text += fmt::format("; median tau-b {:.4f}, least {:.4f}", median, taus[0]);
  }
  return wrap_text(text + "\n", 0, text_width(screen));
}

}  // namespace

std::string agreement_text(const Agreement& agreement, const Screen& screen) {
  std::string out = contenders_table(agreement, screen) + "\n";
  if (agreement.boards.empty()) {
    out += "nothing to compare: they have no problem in common for which both have times\n";
  } else {
    for (auto board = agreement.boards.begin(); board != agreement.boards.end();) {
      std::vector<const BoardAgreement*> of_kernel;
      const std::string& kernel = board->kernel;
      for (; board != agreement.boards.end() && board->kernel == kernel; ++board)
        of_kernel.push_back(&*board);
      out += kernel_table(kernel, of_kernel, screen) + "\n";
    }
    out += summary(agreement, screen) + legend(agreement, screen);
  }
  for (const LonelyBoard& board : agreement.alone)
    out += wrap_text(fmt::format("only {} has {} {} ({})\n", contender_letter(board.contender),
                                 board.kernel, board.problem_text, board.protocol),
                     0, text_width(screen));
  return out;
}

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
