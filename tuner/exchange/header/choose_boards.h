// Which of a kernel's boards a selection is made from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// For each variant, the hash of the contract that was swept last.
[[nodiscard]] std::map<std::string, std::string> newest_contracts(
    const std::vector<Database::TrialRow>& rows);

// One board for each device name and problem: the one with the newest trial, of whatever driver and
// protocol. Only measured boards where there are any; imported entries and those of contracts other
// than `contracts` are removed. In order of device and problem.
[[nodiscard]] std::vector<Leaderboard> choose_boards(
    const std::vector<Leaderboard>& boards, const std::string& kernel,
    const std::map<std::string, std::string>& contracts);

}  // namespace warpwright
