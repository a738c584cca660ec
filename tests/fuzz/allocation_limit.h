// Bounds what is allocated through operator new while one input is tried: beyond it, allocations
// throw std::bad_alloc, which no input may cause. Counts all threads together.
#pragma once

#include <cstddef>

namespace warpwright::fuzz {

class AllocationLimit {
 public:
  AllocationLimit(std::size_t most_live_bytes, std::size_t most_allocated_bytes);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;
  // Whether an allocation was refused, also when the code that requested it managed without it.
  [[nodiscard]] static bool exceeded();
};

}  // namespace warpwright::fuzz
