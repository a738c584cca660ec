// What solving one component may cost, for both solvers. Internal to space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpwright {

inline constexpr std::size_t kDefaultSolverBytes = std::size_t{1} << 30;
// Two to ten minutes of one core; a space beyond that needs better constraints, not patience.
inline constexpr std::uint64_t kMaxSolverSteps = 4'000'000'000;
inline constexpr std::uint64_t kResourceCheck = 4096;  // values between two checks of these

inline constexpr std::uint32_t kBoundsTrial = 512;  // after so many tries, a bound must have pruned
inline constexpr std::uint32_t kBoundsYield = 32;   // one in so many, or it is dropped

// Throws Error (user) when either is exceeded; the message names the parameter that was tried.
void require_solver_resources(std::size_t bytes, std::size_t max_bytes, std::uint64_t steps,
                              const std::string& parameter);

}  // namespace warpwright
