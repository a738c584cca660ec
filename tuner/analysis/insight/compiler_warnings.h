// Compiler warnings in configurations that nevertheless passed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

struct CompilerWarning {
  std::string text;                // "a.cu:12: warning: variable ..."
  std::size_t configurations = 0;  // with this warning, on all boards
};

// Lists each warning once, the most frequent first.
[[nodiscard]] std::vector<CompilerWarning> compiler_warnings(
    const std::vector<Leaderboard>& boards);

}  // namespace warpwright
