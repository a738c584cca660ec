// Finds parameters without effect: configurations that differ only in such a parameter have the
// same machine code, launches and arguments. A source that never uses a macro is the usual cause.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

struct IdleParameter {
  std::string name;
  std::size_t configurations = 0;  // compared with another that differs only in this parameter
};

// Compares the board's configurations that passed. A parameter with a single difference among them
// is not listed, nor is one for which no two configurations can be compared. Sorted by name.
[[nodiscard]] std::vector<IdleParameter> idle_parameters(const Leaderboard& board);

}  // namespace warpwright
