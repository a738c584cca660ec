#include "exchange/header/choose_boards.h"

#include <algorithm>
#include <utility>

#include "store/imported.h"

namespace warpwright {
namespace {

RowId newest_trial(const Leaderboard& board) {
  RowId newest = 0;
  for (const LeaderboardEntry& entry : board.entries) newest = std::max(newest, entry.row.trial.id);
  return newest;
}

}  // namespace

std::map<std::string, std::string> newest_contracts(const std::vector<Database::TrialRow>& rows) {
  std::map<std::string, std::pair<std::int64_t, std::string>> newest;
  for (const Database::TrialRow& row : rows) {
    auto& contract = newest[row.trial.variant];
    contract = std::max(contract, {row.contract_generation, row.contract_hash});
  }
  std::map<std::string, std::string> hashes;
  for (const auto& [variant, contract] : newest) hashes[variant] = contract.second;
  return hashes;
}

std::vector<Leaderboard> choose_boards(const std::vector<Leaderboard>& boards,
                                       const std::string& kernel,
                                       const std::map<std::string, std::string>& contracts) {
  std::vector<Leaderboard> own;
  bool measured = false;
  for (const Leaderboard& board : boards) {
    if (board.kernel != kernel) continue;
    Leaderboard& copy = own.emplace_back(board);
    std::erase_if(copy.entries, [&](const LeaderboardEntry& entry) {
      const auto newest = contracts.find(entry.row.trial.variant);
      return is_imported(entry.row.trial) || newest == contracts.end() ||
             entry.row.contract_hash != newest->second;
    });
    measured |= !copy.modelled && !copy.entries.empty();
  }
  std::map<std::pair<std::string, std::string>, Leaderboard> kept;
  for (Leaderboard& board : own) {
    if (board.entries.empty() || (measured && board.modelled)) continue;
    auto [slot, fresh] = kept.try_emplace({board.device_name, board.problem_text});
    if (fresh || newest_trial(board) > newest_trial(slot->second)) slot->second = std::move(board);
  }
  std::vector<Leaderboard> chosen;
  for (auto& [key, board] : kept) chosen.push_back(std::move(board));
  return chosen;
}

}  // namespace warpwright
