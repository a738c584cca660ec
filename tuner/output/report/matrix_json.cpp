#include "output/report/matrix_json.h"

#include <map>
#include <string>
#include <utility>

#include "analysis/compare/transfer.h"
#include "output/json/json_values.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

struct Place {
  const Leaderboard* board = nullptr;
  std::size_t index = 0;
};
// Places by database and device; if one has several protocols, the board with most times counts.
using Places = std::map<std::pair<std::size_t, std::string>, Place>;

const char* reached_name(Reached::How how) {
  switch (how) {
    case Reached::How::kNotTried:
      return "not tried";
    case Reached::How::kTimed:
      return "timed";
    case Reached::How::kPruned:
      return "pruned";
    case Reached::How::kFailed:
      return "failed";
    case Reached::How::kUntimed:
      return "not timed";
  }
  return "";
}

Json cells_json(const std::vector<std::vector<TransferCell>>& matrix) {
  Json rows = Json::array();
  for (const std::vector<TransferCell>& row : matrix) {
    Json cells = Json::array();
    for (const TransferCell& cell : row) {
      cells.push_back({{"how", reached_name(cell.reached.how)},
                       {"fraction", short_number(cell.reached.fraction)},
                       {"configuration", cell.configuration},
                       {"of_ties", cell.of_ties}});
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

}  // namespace

Json matrices_json(const std::vector<ReportSource>& sources) {
  std::map<std::pair<std::string, std::string>, Places> problems;  // by kernel and problem
  std::size_t index = 0;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    for (const Leaderboard& board : sources[source].boards) {
      Place& place =
          problems[{board.kernel, board.problem_text}][{source, board.device_fingerprint}];
      if (place.board == nullptr || board.entries.size() > place.board->entries.size())
        place = {&board, index};
      ++index;
    }
  }
  Json matrices = Json::array();
  for (const auto& [problem, places] : problems) {
    if (places.size() < 2) continue;
    std::vector<const Leaderboard*> boards;
    Json indices = Json::array();
    for (const auto& [where, place] : places) {
      boards.push_back(place.board);
      indices.push_back(place.index);
    }
    matrices.push_back({{"kernel", problem.first},
                        {"problem_text", problem.second},
                        {"boards", std::move(indices)},
                        {"cells", cells_json(transfer_matrix(boards))}});
  }
  return matrices;
}

}  // namespace warpwright
