// Parameters that do nothing: configurations that differ in one of them alone have the same machine
// code, launches and arguments. A source that never uses a macro is the usual cause.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

struct IdleParameter {
  std::string name;
  std::size_t configurations = 0;  // compared with another that differs in this parameter alone
};

// Of the board's configurations that passed; a parameter with one difference among them is not
// listed, nor is one of which no two configurations can be compared. By name.
[[nodiscard]] std::vector<IdleParameter> idle_parameters(const Leaderboard& board);

}  // namespace warpwright
