#include "analysis/board/contract_remarks.h"

#include <set>
#include <string>

namespace warpwright {

void add_contract_remarks(std::vector<Leaderboard>& boards,
                          const std::vector<Database::ContractCheckRow>& checks) {
  if (checks.empty()) return;
  for (Leaderboard& board : boards) {
    std::set<std::string> contracts;
    for (const LeaderboardEntry& entry : board.entries) contracts.insert(entry.row.contract_hash);
    for (const Database::TrialRow& row : board.untimed) contracts.insert(row.contract_hash);
    for (auto row = checks.rbegin(); row != checks.rend(); ++row) {
      if (row->kernel_name != board.kernel || row->check.problem_text != board.problem_text ||
          !contracts.contains(row->contract_hash))
        continue;
      const std::vector<ContractRemark>* remarks = row->check.remarks.readable();
      if (remarks != nullptr) add_remarks(board.contract_remarks, *remarks);
    }
  }
}

}  // namespace warpwright
