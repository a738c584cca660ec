#include "core/usable_cores.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>

namespace warpwright {
namespace {

// Far more than any machine has.
constexpr int kMostProcessors = 1 << 16;

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

}  // namespace

std::vector<int> usable_processors() {
  // The system refuses a set that is too small for the machine.
  for (int most = CPU_SETSIZE; most <= kMostProcessors; most *= 2) {
    const std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(static_cast<std::size_t>(most)));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    CPU_ZERO_S(bytes, set.get());
    if (::sched_getaffinity(0, bytes, set.get()) != 0) {
      if (errno == EINVAL) continue;
      return {};
    }
    std::vector<int> processors;
    for (int i = 0; i < most; ++i)
      if (CPU_ISSET_S(static_cast<std::size_t>(i), bytes, set.get())) processors.push_back(i);
    return processors;
  }
  return {};
}

int usable_cores() {
  const auto count = static_cast<int>(usable_processors().size());
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace warpwright
