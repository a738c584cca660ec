// Chooses the boards of a kernel from which a selection is made.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// For each variant, the hash of the contract that was swept last.
[[nodiscard]] std::map<std::string, std::string> newest_contracts(
    const std::vector<Database::TrialRow>& rows);

// Returns one board for each device name and problem: the one with the newest trial, whatever its
// driver and protocol. If there are any measured boards, only those are used; imported entries and
// those of contracts other than `contracts` are removed. The boards are in order of device and
// problem.
[[nodiscard]] std::vector<Leaderboard> choose_boards(
    const std::vector<Leaderboard>& boards, const std::string& kernel,
    const std::map<std::string, std::string>& contracts);

}  // namespace warpwright
