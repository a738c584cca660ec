// Every fixture of fixtures/hazards under twenty schedules: the broken kernel has its finding, and
// the correct one has none.
#include <filesystem>
#include <functional>

#include "hazard_fixture.h"

namespace warpwright::emu {
namespace {

constexpr std::uint64_t kSchedules = 20;

struct Row {
  const char* name;
  std::function<void(CheckedLaunch&)> set_up;
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

TensorMap box(std::uint16_t columns, std::uint16_t rows,
              TensorSwizzle swizzle = TensorSwizzle::kNone) {
  TensorMap map;
  map.box = {columns, rows};
  map.swizzle = swizzle;
  return map;
}

// A launch of one block of `threads`, with floats as input and output.
Row plain(const char* name, std::uint32_t threads, std::size_t in, std::size_t out) {
  return {name, [=](CheckedLaunch& l) { l.shape(1, threads).floats(in).output(out); }};
}
Row tiled(const char* name, std::uint32_t threads, std::size_t in, std::size_t out, int value) {
  return {name, [=](CheckedLaunch& l) { l.shape(1, threads).floats(in).output(out).value(value); }};
}
Row product(const char* name) {
  return {name, [](CheckedLaunch& l) { l.shape(1, 128).halves(576).output(512); }};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      plain("missing_syncthreads", 128, 128, 128),
      tiled("missing_syncthreads_loop", 128, 512, 128, 4),
      plain("two_warps_write", 128, 128, 1),
      plain("equal_stores", 128, 128, 1),
      {"blocks_store_equal", [](CheckedLaunch& l) { l.shape(4, 64).floats(256).output(1); }},
      plain("sometimes_equal_stores", 128, 128, 1),
      plain("missing_syncwarp", 32, 32, 1),
      plain("short_updates", 128, 128, 128),
      {"byte_updates", [](CheckedLaunch& l) { l.shape(1, 128).zeros(32).output(128); }},
      plain("jump_past_table", 64, 64, 64),
      plain("union_rows", 128, 128, 128),
      plain("consumer_barrier", 128, 128, 128),
      plain("divergent_barrier", 64, 64, 64),
      plain("barrier_count", 96, 96, 96),
      plain("exit_before_barrier", 128, 64, 64),
      plain("barrier_ids_swapped", 128, 64, 64),
      plain("mbarrier_parity_early", 128, 128, 128),
      plain("mbarrier_parity_hang", 128, 256, 128),
      plain("mbarrier_missing_arrive", 128, 64, 64),
      plain("mbarrier_count_too_small", 128, 96, 32),
      plain("mbarrier_not_initialised", 64, 32, 32),
      plain("mbarrier_init_unordered", 128, 64, 64),
      plain("mbarrier_overwritten", 128, 64, 64),
      plain("read_only_load_of_written", 128, 128, 128),
      plain("expect_too_many_bytes", 128, 128, 128),
      plain("expect_too_few_bytes", 128, 256, 128),
      plain("read_before_wait", 128, 128, 128),
      tiled("empty_released_early", 160, 512, 128, 4),
      plain("cp_async_no_wait", 128, 128, 128),
      tiled("cp_async_wait_too_few", 128, 768, 128, 6),
      plain("cp_async_no_syncthreads", 128, 128, 128),
      {"tma_read_without_wait",
       [](CheckedLaunch& l) { l.shape(1, 128).input_map(64, 16, box(16, 8)).output(128); }},
      {"tma_edge_bytes",
       [](CheckedLaunch& l) { l.shape(1, 128).input_map(64, 16, box(16, 8)).output(128); }},
      {"tma_store_without_fence",
       [](CheckedLaunch& l) { l.shape(1, 128).floats(128).output_map(64, 16, box(16, 8)); }},
      {"stage_read_without_fence",
       [](CheckedLaunch& l) { l.shape(1, 160).input_map(64, 16, box(16, 8)).output(128); }},
      tiled("bulk_store_overwritten", 128, 512, 512, 4),
      product("wgmma_without_fence"),
      product("wgmma_read_before_wait"),
      product("wgmma_registers_without_fence"),
      product("wgmma_fence_left_out"),
      product("wgmma_operand_overwritten"),
      product("wgmma_tile_overwritten"),
      {"wgmma_stage_released_by_one",
       [](CheckedLaunch& l) { l.shape(1, 160).halves(576 * 5).output(512).value(5); }},
      product("wgmma_of_three_warps"),
      product("wgmma_in_two_branches"),
      product("wgmma_tile_of_each_warp"),
      {"swizzle_read_linearly",
       [](CheckedLaunch& l) {
         l.shape(1, 256).input_map(32, 8, box(32, 8, TensorSwizzle::k128)).output(256);
       }},
      {"swapped_fragment", [](CheckedLaunch& l) { l.shape(1, 32).halves(192).output(128); }},
      {"mbarrier_init_without_fence",
       [](CheckedLaunch& l) { l.shape(1, 128).input_map(64, 16, box(16, 8)).output(128); }},
      {"global_store_before_bulk_copy",
       [](CheckedLaunch& l) { l.shape(1, 128).floats(128).output(128).output(128); }},
      plain("two_reductions_of_a_word", 64, 64, 1),
      {"flag_reset_by_a_store",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).output(32).zeros(1).output(32); }},
      plain("register_budget", 384, 256, 256),
      plain("register_increase_alone", 384, 256, 256),
      {"global_out_of_bounds",
       [](CheckedLaunch& l) { l.shape(2, 64).floats(100).output(100).value(100); }},
      plain("shared_out_of_bounds", 128, 130, 128),
      plain("shared_array_overrun", 32, 64, 32),
      tiled("misaligned_vector", 32, 160, 32, 5),
      {"dynamic_shared_too_small",
       [](CheckedLaunch& l) { l.shape(1, 128).dynamic_shared(512).floats(128).output(128); }},
      {"uninitialised_shared", [](CheckedLaunch& l) { l.shape(1, 128).words(128).output(64); }},
      plain("tile_edge_stored", 64, 64, 64),
      plain("tile_edge_shuffled", 64, 64, 64),
      plain("tile_edge_decides", 64, 64, 64),
      plain("uninitialised_global", 64, 64, 64),
      tiled("uninitialised_register", 64, 64, 64, 20),
      {"blocks_write_same", [](CheckedLaunch& l) { l.shape(4, 64).floats(256).output(256); }},
      {"last_block_without_fence",
       [](CheckedLaunch& l) { l.shape(8, 32).floats(256).output(8).zeros(1).output(1); }},
      {"flag_read_without_acquire",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).output(32).zeros(1).output(32); }},
      {"fence_of_the_block",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).output(32).zeros(1).output(32); }},
      {"acquire_of_the_block",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).output(32).zeros(1).output(32); }},
      {"atomic_of_the_block", [](CheckedLaunch& l) { l.shape(4, 64).floats(256).zeros(1); }},
      {"cleared_while_others_add", [](CheckedLaunch& l) { l.shape(4, 64).words(256).zeros(4); }},
      {"read_by_many", [](CheckedLaunch& l) { l.shape(24, 64).floats(64).output(24 * 64); }},
      plain("read_by_all_lanes", 32, 32, 32),
      plain("read_moved_up", 64, 64, 64),
      tiled("read_moved_out_of_loop", 96, 96, 96, 6),
      {"cas_first_read", [](CheckedLaunch& l) { l.shape(2, 64).words(128).zeros(1); }},
      plain("shuffle_orders_nothing", 32, 32, 32),
      plain("volatile_lanes", 32, 32, 1),
      {"flag_without_fence",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).output(32).zeros(1).output(32); }},
      {"cluster_no_barrier", [](CheckedLaunch& l) { l.shape(2, 64, 2).floats(128).output(128); }},
      tiled("local_sums_unset", 32, 64, 32, 2),
      plain("local_pointer_shared", 64, 64, 64),
      {"tensor_map_written",
       [](CheckedLaunch& l) {
         l.shape(1, 128).input_map(64, 16, box(16, 8)).zeros(32).output(128);
       }},
      {"words_stand_for_themselves",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).zeros(2).output(32); }},
      {"volatile_message",
       [](CheckedLaunch& l) { l.shape(2, 32).floats(32).output(32).zeros(1).output(32); }},
      {"cluster_exit_after_arrive",
       [](CheckedLaunch& l) { l.shape(2, 64, 2).floats(128).output(128); }},
      {"cluster_init_unordered",
       [](CheckedLaunch& l) { l.shape(2, 64, 2).floats(128).output(128); }},
      {"sum_never_set_back", [](CheckedLaunch& l) { l.twice().shape(1, 64).floats(64).output(1); }},
      {"result_kept", [](CheckedLaunch& l) { l.twice().shape(1, 64).floats(64).output(64); }},
      {"ticket_never_set_back",
       [](CheckedLaunch& l) { l.twice().shape(4, 32).floats(128).output(128).output(32); }},
      plain("cached_in_shared", 64, 64, 64),
      tiled("cached_in_local", 32, 96, 96, 3),
      {"cached_in_scratch",
       [](CheckedLaunch& l) { l.shape(1, 64).floats(64).output(64).output(64).output(64); }},
      {"cluster_exit_early", [](CheckedLaunch& l) { l.shape(2, 64, 2).floats(128).output(128); }},
  };
  return kRows;
}

class HazardFixture : public testing::TestWithParam<Row> {
 protected:
  std::string name_ = GetParam().name;

  std::unique_ptr<CheckedLaunch> launch(const std::string& twin, std::uint64_t seed) {
    auto made = std::make_unique<CheckedLaunch>("hazards/" + name_ + ".ptx", name_ + twin, seed);
    GetParam().set_up(*made);
    return made;
  }
};

TEST_P(HazardFixture, BrokenIsFound) {
  const Expectations expected = read_expectations(read_fixture("hazards/" + name_ + ".cu"));
  ASSERT_FALSE(expected.any_of.empty()) << "the source expects nothing";
  std::uint64_t found_in = 0;
  std::ostringstream others;
  for (std::uint64_t seed = 1; seed <= kSchedules; ++seed) {
    const auto broken = launch("_broken", seed);
    const std::vector<Finding> findings = findings_of(broken->run());
    bool found = std::any_of(findings.begin(), findings.end(),
                             [&](const Finding& one) { return meets(one, expected); });
    if (expected.of("wrong result") && findings.empty()) {
      const auto fixed = launch("_fixed", seed);
      static_cast<void>(fixed->run());
      found = broken->result() != fixed->result();
    }
    found_in += found ? 1 : 0;
    if (seed == 1) {
      std::ostringstream said;
      for (const Finding& finding : findings) said << shown(finding) << "\n";
      RecordProperty("findings_of_seed_1", said.str());
    }
    if (found) continue;
    others << "seed " << seed << ":" << (findings.empty() ? " nothing" : "") << "\n";
    for (const Finding& finding : findings) others << "  " << shown(finding) << "\n";
  }
  RecordProperty("schedules", std::to_string(found_in));
  EXPECT_GE(found_in, expected.in_every_schedule ? kSchedules : 1) << others.str();
}

TEST_P(HazardFixture, FixedIsLeftInPeace) {
  for (std::uint64_t seed = 1; seed <= kSchedules; ++seed) {
    for (const Finding& finding : findings_of(launch("_fixed", seed)->run()))
      ADD_FAILURE() << "seed " << seed << ", " << name_ << ".cu:" << shown(finding);
  }
}

// If a launch reports that no other schedule can differ, none does, and all of them report it.
TEST_P(HazardFixture, OneScheduleStandsForAllOrForNone) {
  for (const char* twin : {"_broken", "_fixed"}) {
    const auto first = launch(twin, 1);
    const LaunchReport report = first->run();
    if (!report.same_under_all_schedules) continue;
    EXPECT_TRUE(findings_of(report).empty()) << twin;
    for (std::uint64_t seed = 2; seed <= kSchedules; ++seed) {
      const auto other = launch(twin, seed);
      const LaunchReport again = other->run();
      EXPECT_TRUE(again.same_under_all_schedules) << twin << ", seed " << seed;
      EXPECT_TRUE(findings_of(again).empty()) << twin << ", seed " << seed;
      EXPECT_EQ(other->result(), first->result()) << twin << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, HazardFixture, testing::ValuesIn(rows()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(HazardFixtures, EverySourceHasARow) {
  std::set<std::string> sources;
  for (const auto& file : std::filesystem::directory_iterator(std::string(WARPWRIGHT_SOURCE_DIR) +
                                                              "/tests/emu/fixtures/hazards")) {
    if (file.path().extension() == ".cu") sources.insert(file.path().stem());
  }
  std::set<std::string> launched;
  for (const Row& row : rows()) launched.insert(row.name);
  EXPECT_EQ(launched, sources);
}

}  // namespace
}  // namespace warpwright::emu
