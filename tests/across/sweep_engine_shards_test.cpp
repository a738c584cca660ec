// A sweep in shards on two GPUs of one kind, and the last ranking, of the best of both.
#include <gmock/gmock.h>

#include "analysis/insight/run_history.h"
#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class SweepEngineShardsTest : public ScriptedSweep {
 protected:
  static DeviceInfo gpu(const std::string& uuid) {
    DeviceInfo one = device("fake:0", true);
    one.uuid = uuid;
    return one;
  }
  SweepSummary run_shard(std::uint64_t index, const std::string& uuid) {
    options_.shard = Shard{index, 2};
    const SweepSummary summary = sweep_on({gpu(uuid)});
    options_.shard.reset();
    return summary;
  }
  SweepSummary rank_only(const std::string& uuid) {
    options_.rank_only = true;
    const SweepSummary summary = sweep_on({gpu(uuid)});
    options_.rank_only = false;
    return summary;
  }
};

TEST_F(SweepEngineShardsTest, AShardRunsItsPartAndRanksIt) {
  write_sweep("32, 64, 96, 128", "{n: 1}");
  const SweepSummary summary = run_shard(1, "GPU-1");
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_THAT(asked(), ElementsAre("64 on 1", "128 on 1", "rank 1: 64 128"));
  (void)run_shard(2, "GPU-2");
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "96 on 1", "rank 1: 32 96"));
}

TEST_F(SweepEngineShardsTest, ABudgetThatAllShardsShareEndsThem) {
  write_sweep("32, 64, 96, 128", "{n: 1}");
  options_.strategy = "exhaustive";
  options_.budget = Budget{3, std::nullopt};
  EXPECT_EQ(run_shard(1, "GPU-1").ended, RunEnd::kBudget);
  EXPECT_EQ(run_shard(2, "GPU-1").ended, RunEnd::kBudget);
  EXPECT_EQ(stored().size(), 3u);
}

// Trials of the other GPU are timed here first, and none is timed twice.
TEST_F(SweepEngineShardsTest, TheLastRankingIsOfTheBestOfAllGpus) {
  write_sweep("32, 64, 96, 128", "{n: 1}");
  (void)run_shard(1, "GPU-1");
  (void)run_shard(2, "GPU-2");
  const SweepSummary last = rank_only("GPU-1");
  EXPECT_EQ(last.rankings, 1u);
  EXPECT_EQ(last.resumed, 2u);
  std::vector<std::string> all = asked();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all.back().starts_with("rank 1: 32")) << all.back();
  all.pop_back();
  EXPECT_THAT(all, UnorderedElementsAre("32 on 1", "96 on 1"));
}

TEST_F(SweepEngineShardsTest, ALastRankingThatWasMadeIsNotRepeated) {
  write_sweep("32, 64, 96, 128", "{n: 1}");
  (void)run_shard(1, "GPU-1");
  (void)run_shard(2, "GPU-2");
  (void)rank_only("GPU-1");
  EXPECT_EQ(rank_only("GPU-1").rankings, 0u);
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(SweepEngineShardsTest, ADatabaseKnowsWhichShardsBegan) {
  write_sweep("32, 64, 96, 128", "{n: 1}, {n: 2}");
  (void)run_shard(2, "GPU-2");
  const std::vector<ShardsHere> here = shards_here(Database(database_, OpenMode::kReadOnly));
  ASSERT_EQ(here.size(), 2u);
  EXPECT_EQ(here[0].problem_text, "n=1");
  EXPECT_EQ(here[0].count, 2u);
  EXPECT_THAT(here[0].begun, ElementsAre(2u));
  EXPECT_EQ(here[0].asked, 4u);
  EXPECT_EQ(here[0].known, 2u);
  EXPECT_FALSE(here[0].complete());
}

// Boards of two GPUs of one name count together.
TEST_F(SweepEngineShardsTest, ShardsOfSeveralGpusMakeUpTheSweep) {
  write_sweep("32, 64, 96, 128", "{n: 1}");
  (void)run_shard(1, "GPU-1");
  (void)run_shard(2, "GPU-2");
  const std::vector<ShardsHere> here = shards_here(Database(database_, OpenMode::kReadOnly));
  ASSERT_EQ(here.size(), 1u);
  EXPECT_TRUE(here[0].complete());
}

}  // namespace
}  // namespace warpwright::testing
