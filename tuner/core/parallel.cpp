#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/usable_cores.h"

namespace warpwright {

void parallel_ranges(std::uint64_t count, std::uint64_t share, int threads,
                     const std::function<void(std::uint64_t, std::uint64_t)>& body) {
  if (count == 0) return;
  share = std::max<std::uint64_t>(share, 1);
  const std::uint64_t turns = (count + share - 1) / share;
  const auto wanted = static_cast<std::uint64_t>(threads > 0 ? threads : usable_cores());

  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::uint64_t turn = next++; turn < turns; turn = next++) {
        body(turn * share, std::min(count, (turn + 1) * share));
      }
    } catch (...) {
      next = turns;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::uint64_t i = 1; i < std::min(wanted, turns); ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace warpwright
