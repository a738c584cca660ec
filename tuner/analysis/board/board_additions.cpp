#include "analysis/board/board_additions.h"

#include <set>
#include <string>

#include "metrics/peaks.h"

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

void add_limits(std::vector<Leaderboard>& boards, const RoofsByDevice& roofs_by_device) {
  for (Leaderboard& board : boards) {
    const auto found = roofs_by_device.find(board.device_fingerprint);
    if (found == roofs_by_device.end() || board.entries.empty()) continue;
    if (is_harness_kernel(board.kernel)) continue;
    const Roofs& roofs = found->second;
    const Work of_board = work_of(board.entries.front().row.trial);
    board.work = of_board;
    board.limit = find_limit(of_board, roofs);
    board.missing_ceiling = missing_ceiling(of_board, roofs);
    board.datasheet_gb_per_s = roofs.datasheet_gb_per_s;
    const bool hot = board.protocol.starts_with("hot-");
    for (LeaderboardEntry& entry : board.entries) {
      const Work work = work_of(entry.row.trial);
      const std::optional<Limit> limit = find_limit(work, roofs);
      if (!limit) continue;
      entry.limit_share = share_of_limit(
          *limit, entry.median_us, entry.ci_high_us.value_or(entry.median_us), hot, work, roofs);
    }
  }
}

}  // namespace warpwright
