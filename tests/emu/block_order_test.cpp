// The order in which blocks start: as on GPUs under seed 1, and a different one under each other
// seed.
#include <algorithm>
#include <numeric>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Each block draws a ticket.
std::vector<std::uint32_t> tickets(std::uint64_t seed, std::uint64_t sample = 0) {
  Harness harness(ptx_header() + R"(
.visible .entry kernel(.param .u64 next, .param .u64 out) {
  .reg .b32 %ticket, %block;
  .reg .b64 %next, %out, %at;
  ld.param.u64 %next, [next];
  ld.param.u64 %out, [out];
  mov.u32 %block, %ctaid.x;
  atom.global.add.u32 %ticket, [%next], 1;
  mul.wide.u32 %at, %block, 4;
  add.u64 %at, %at, %out;
  st.global.u32 [%at], %ticket;
  ret;
}
)");
  harness.launch.grid = {40, 1, 1};
  harness.launch.block = {1, 1, 1};
  harness.options.seed = seed;
  harness.options.threads = 1;
  harness.options.sample_blocks = sample;
  const auto next = harness.zeros<std::uint32_t>(1);
  const auto out = harness.upload(std::vector<std::uint32_t>(40, 99));
  harness.run_clean(next, out);
  return harness.download(out);
}

std::vector<std::uint32_t> counted() {
  std::vector<std::uint32_t> numbers(40);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

TEST(BlockOrder, SeedOneStartsThemAsTheyAreNumbered) { EXPECT_EQ(tickets(1), counted()); }

TEST(BlockOrder, OtherSeedsStartThemInAnotherOrder) { EXPECT_NE(tickets(2), counted()); }

TEST(BlockOrder, EverySeedHasItsOwn) { EXPECT_NE(tickets(2), tickets(3)); }

TEST(BlockOrder, OneSeedAlwaysHasTheSame) { EXPECT_EQ(tickets(7), tickets(7)); }

TEST(BlockOrder, EveryBlockStartsOnce) {
  std::vector<std::uint32_t> drawn = tickets(5);
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(drawn, counted());
}

TEST(BlockOrder, ASampleHasTheSameBlocksUnderEverySeed) {
  const auto started = [](std::uint64_t seed) {
    std::vector<bool> blocks;
    for (const std::uint32_t ticket : tickets(seed, 4)) blocks.push_back(ticket != 99);
    return blocks;
  };
  EXPECT_EQ(started(1), started(9));
}

// If several blocks fail, the lowest one is reported, whichever failed first.
TEST(BlockOrder, TheLowestBlockThatFailsIsReported) {
  Harness harness(ptx_header() + ".visible .entry kernel() { trap; }");
  harness.launch.grid = {40, 1, 1};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    harness.options.seed = seed;
    const LaunchReport report = harness.run();
    ASSERT_TRUE(report.fault.has_value());
    EXPECT_EQ(report.fault->here->block[0], 0u);
  }
}

}  // namespace
}  // namespace warpwright::emu
