#include "core/usable_cores.h"

#include <gmock/gmock.h>
#include <sched.h>

#include <thread>

namespace warpwright {
namespace {

TEST(UsableCores, AreThoseThatTheThreadMayRunOn) {
  const std::vector<int> all = usable_processors();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(usable_cores(), static_cast<int>(all.size()));
  std::vector<int> one;
  int count = 0;
  std::thread([&] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(all.back()), &set);
    ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
    one = usable_processors();
    count = usable_cores();
  }).join();
  EXPECT_THAT(one, ::testing::ElementsAre(all.back()));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(usable_processors(), all);
}

}  // namespace
}  // namespace warpwright
