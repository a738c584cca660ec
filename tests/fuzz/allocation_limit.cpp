#include "fuzz/allocation_limit.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace warpwright::fuzz {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

struct Allocations {
  std::atomic<std::size_t> live{0};
  std::atomic<std::size_t> allocated{0};
  std::atomic<std::size_t> live_limit{kUnlimited};
  std::atomic<std::size_t> allocated_limit{kUnlimited};
  std::atomic<bool> refused{false};
};
constinit Allocations all;

void* allocate(std::size_t bytes, std::size_t alignment) {
  // The size alone is checked first: a size near the largest one would wrap around in a sum.
  if (bytes > all.live_limit || all.live + bytes > all.live_limit ||
      all.allocated + bytes > all.allocated_limit) {
    all.refused = true;
    throw std::bad_alloc();
  }
  void* memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(bytes == 0 ? 1 : bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t got = ::malloc_usable_size(memory);
  all.live += got;
  all.allocated += got;
  return memory;
}

void* allocate_or_null(std::size_t bytes) noexcept {
  try {
    return allocate(bytes, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void release(void* memory) {
  if (memory == nullptr) return;
  all.live -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

AllocationLimit::AllocationLimit(std::size_t most_live_bytes, std::size_t most_allocated_bytes) {
  all.refused = false;
  all.live_limit = all.live + most_live_bytes;
  all.allocated_limit = all.allocated + most_allocated_bytes;
}

AllocationLimit::~AllocationLimit() { all.live_limit = all.allocated_limit = kUnlimited; }

bool AllocationLimit::exceeded() { return all.refused; }

}  // namespace warpwright::fuzz

// Replaced for the whole program, every form: sanitizers have forms of their own that do not come
// down to the first.
using warpwright::fuzz::allocate;
using warpwright::fuzz::allocate_or_null;
using warpwright::fuzz::release;

void* operator new(std::size_t bytes) { return allocate(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocate(bytes, 1); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
