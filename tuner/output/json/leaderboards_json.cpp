#include "output/json/leaderboards_json.h"

#include <nlohmann/json.hpp>

#include "output/json/board_document.h"
#include "output/json/json_values.h"

namespace warpwright {

nlohmann::json leaderboards_json(const std::vector<Leaderboard>& boards) {
  nlohmann::json list = nlohmann::json::array();
  for (const Leaderboard& board : boards) {
    nlohmann::json entries = nlohmann::json::array();
    for (const LeaderboardEntry& entry : board.entries) {
      nlohmann::json& one = entries.emplace_back(entry_document(board, entry));
      one["configuration"] = document_of(entry.row.trial.parameters);
      one["measurement"] = entry.row.trial.measurement.document();
    }
    nlohmann::json& document = list.emplace_back(board_document(board));
    document["entries"] = std::move(entries);
  }
  return {{"leaderboards", std::move(list)}};
}

}  // namespace warpwright
