#include "space/solver_resources.h"

#include <fmt/format.h>

#include "core/error.h"

namespace warpwright {

void require_solver_resources(std::size_t bytes, std::size_t max_bytes, std::uint64_t steps,
                              const std::string& parameter) {
  std::string used;
  if (bytes > max_bytes) used = fmt::format("{} MiB", max_bytes >> 20);
  if (steps > kMaxSolverSteps) used = fmt::format("{} assignments tried", kMaxSolverSteps);
  if (used.empty()) return;
  throw user_error(
      fmt::format("the search space is too large to solve: more than {} at parameter '{}'; add "
                  "constraints, list "
                  "fewer values, or list the parameters that share a constraint next to each other",
                  used, parameter));
}

}  // namespace warpwright
