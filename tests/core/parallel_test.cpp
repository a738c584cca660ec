#include "core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace warpwright {
namespace {

TEST(Parallel, RangesCoverEachNumberOnce) {
  for (const int threads : {0, 1, 3}) {
    std::vector<std::atomic<int>> seen(1000);
    parallel_ranges(seen.size(), 7, threads, [&](std::uint64_t first, std::uint64_t last) {
      EXPECT_LE(last - first, 7U);
      for (std::uint64_t i = first; i < last; ++i) ++seen[i];
    });
    for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1);
  }
}

TEST(Parallel, AnExceptionEndsTheLoopAndIsThrownAgain) {
  std::atomic<int> turns = 0;
  const auto fail_at_once = [&](std::uint64_t, std::uint64_t) {
    ++turns;
    throw std::runtime_error("stop");
  };
  EXPECT_THROW(parallel_ranges(1000, 1, 2, fail_at_once), std::runtime_error);
  EXPECT_LE(turns, 2);
}

TEST(Parallel, NothingToDoCallsNothing) {
  parallel_ranges(0, 1, 4, [](std::uint64_t, std::uint64_t) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace warpwright
