// A loop over [0, count) shared by host threads, which take ranges in turn. The result of a
// well-behaved body does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace warpwright {

// Calls body(first, last) for ranges of at most `share` that cover [0, count) once. `threads` 0 is
// one per core. The first exception stops the loop and is thrown again here.
void parallel_ranges(std::uint64_t count, std::uint64_t share, int threads,
                     const std::function<void(std::uint64_t first, std::uint64_t last)>& body);

}  // namespace warpwright
