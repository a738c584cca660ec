// The limits on the cost of solving one component, for both solvers. Internal to space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpwright {

inline constexpr std::size_t kDefaultSolverBytes = std::size_t{1} << 30;
// Two to ten minutes on one core; a larger space needs better constraints, not more time.
inline constexpr std::uint64_t kMaxSolverSteps = 4'000'000'000;
inline constexpr std::uint64_t kResourceCheck = 4096;  // values between two checks of the limits

inline constexpr std::uint32_t kBoundsTrial = 512;  // tries before a bound is judged
inline constexpr std::uint32_t kBoundsYield = 32;   // a bound is kept if one in this many prunes

// Throws Error (user) if either limit is exceeded; the message names the parameter being tried.
void require_solver_resources(std::size_t bytes, std::size_t max_bytes, std::uint64_t steps,
                              const std::string& parameter);

}  // namespace warpwright
