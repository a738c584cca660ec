// Whether an expression is monotonic in a trial's time, so that the ends of the time's interval
// give the ends of its own.
#pragma once

#include "core/expr/expr.h"

namespace warpwright {

// True when the expression names time_us, gbs or gflops once and nothing else that is measured, and
// combines it by + - * / alone, never below a division by a sum. Returns false for everything else:
// no interval is better than a wrong one.
[[nodiscard]] bool follows_time(const Expr& expr);

}  // namespace warpwright
