#include "core/usable_cores.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <thread>

namespace warpwright {
namespace {

// Far more than any machine has: the system rejects a set that is too small for it.
constexpr std::size_t kMaxProcessors = 1 << 16;
using Set = std::array<cpu_set_t, kMaxProcessors / CPU_SETSIZE>;

// Empty if the system does not report it.
Set usable_set() {
  Set set{};
  if (::sched_getaffinity(0, sizeof set, set.data()) != 0) set = {};
  return set;
}

}  // namespace

std::vector<int> usable_processors() {
  const Set set = usable_set();
  std::vector<int> processors;
  for (std::size_t i = 0; i < kMaxProcessors; ++i)
    if (CPU_ISSET_S(i, sizeof set, set.data())) processors.push_back(static_cast<int>(i));
  return processors;
}

int usable_cores() {
  const Set set = usable_set();
  const int count = CPU_COUNT_S(sizeof set, set.data());
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace warpwright
