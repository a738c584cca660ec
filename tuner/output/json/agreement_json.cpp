#include "output/json/agreement_json.h"

#include <nlohmann/json.hpp>

#include "output/json/json_values.h"
#include "output/text/comparison_text.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

const char* how_name(WinnerElsewhere::How how) {
  switch (how) {
    case WinnerElsewhere::How::kTimed:
      return "timed";
    case WinnerElsewhere::How::kPruned:
      return "pruned";
    case WinnerElsewhere::How::kNotTimed:
      return "not_timed";
  }
  return "unknown";
}

Json board_json(const BoardAgreement& board) {
  Json elsewhere = Json::array();
  for (const WinnerElsewhere& winner : board.elsewhere)
    elsewhere.push_back({{"how", how_name(winner.how)}, {"cost", or_null(winner.cost)}});
  return {{"kernel", board.kernel},
          {"problem", board.problem.document()},
          {"problem_text", board.problem_text},
          {"protocols", board.protocols},
          {"times", {time_kind_name(board.kinds[0]), time_kind_name(board.kinds[1])}},
          {"timed", board.timed},
          {"pruned", board.pruned},
          {"timed_in_both", board.timed_in_both},
          {"tau_b", or_null(board.tau)},
          {"known_in_both", board.known_in_both},
          {"tau_b_with_pruned", or_null(board.tau_with_pruned)},
          {"tie_sets", tie_sets_name(board.tie_sets)},
          {"tied", board.tied},
          {"tied_in_both", board.tied_in_both},
          {"winners", board.winners},
          {"same_winner", board.winners[0] == board.winners[1]},
          {"winner_elsewhere", std::move(elsewhere)}};
}

}  // namespace

nlohmann::json agreement_json(const Agreement& agreement) {
  Json contenders = Json::array(), boards = Json::array(), alone = Json::array();
  for (std::size_t i = 0; i < 2; ++i) {
    const Contender& contender = agreement.contenders[i];
    contenders.push_back({{"letter", contender_letter(i)},
                          {"name", contender.name},
                          {"source", contender.source},
                          {"device",
                           {{"id", contender.devices.front().id},
                            {"name", contender.device_name},
                            {"driver", contender.device_driver}}},
                          {"trials", contender.trials}});
  }
  for (const BoardAgreement& board : agreement.boards) boards.push_back(board_json(board));
  for (const LonelyBoard& board : agreement.alone)
    alone.push_back({{"contender", board.contender},
                     {"kernel", board.kernel},
                     {"problem_text", board.problem_text},
                     {"protocol", board.protocol}});
  return {{"contenders", std::move(contenders)},
          {"boards", std::move(boards)},
          {"alone", std::move(alone)}};
}

}  // namespace warpwright
