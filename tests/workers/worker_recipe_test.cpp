#include "workers/worker_recipe.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kGib = 1ull << 30;

TEST(WorkerMemory, FewWorkersShareWhatThereIs) {
  const WorkerMemory memory = worker_memory(100 * kGib, 3, nullptr);
  EXPECT_EQ(memory.compile, 30 * kGib);
  EXPECT_EQ(memory.emulate, 30 * kGib);
}

TEST(WorkerMemory, ManyWorkersMayHaveMoreThanTheirShareEach) {
  EXPECT_EQ(worker_memory(64 * kGib, 64, nullptr).compile, 4 * kGib);
}

TEST(WorkerMemory, OneWorkerNeverHasMoreThanHalfOfASmallMachineForThat) {
  EXPECT_EQ(worker_memory(6 * kGib, 64, nullptr).compile, 3 * kGib);
}

TEST(WorkerMemory, AStarvedMachineStillLetsWorkersStart) {
  EXPECT_EQ(worker_memory(kGib / 4, 8, nullptr).compile, kGib);
  EXPECT_EQ(worker_memory(kGib / 4, 8, nullptr).gpu, kGib);
}

TEST(WorkerMemory, AGpusMeasurerMayHaveNearlyEverything) {
  EXPECT_EQ(worker_memory(100 * kGib, 64, nullptr).gpu, 90 * kGib);
}

TEST(WorkerMemory, UnknownMemoryIsNoLimit) {
  EXPECT_EQ(worker_memory(std::nullopt, 4, nullptr).compile, 0u);
}

TEST(WorkerMemory, TheVariableReplacesAllOfThem) {
  const WorkerMemory memory = worker_memory(100 * kGib, 4, "512MiB");
  EXPECT_EQ(memory.compile, 512u << 20);
  EXPECT_EQ(memory.gpu, 512u << 20);
  EXPECT_EQ(worker_memory(100 * kGib, 4, "off").emulate, 0u);
  EXPECT_EQ(worker_memory(100 * kGib, 4, "").emulate,
            worker_memory(100 * kGib, 4, nullptr).emulate);
}

TEST(WorkerMemory, AVariableThatIsNoLimitIsTheUsersFault) {
  EXPECT_EQ(testing::error_text([] { (void)worker_memory(kGib, 1, "lots"); }),
            "WARPWRIGHT_MEMORY_LIMIT='lots': expected `off` or a number of bytes such as "
            "4000000000, 800MiB or 4GiB");
}

TEST(WorkerRecipe, WorkersElsewhereHaveTheCoresAndTheMemoryOfTheirMachine) {
  const Paths paths;
  const WorkerRecipe recipe(paths, {});
  WorkerNode node;
  node.name = "rank 1 on a";
  node.cores = 3;
  node.available_memory = 100 * kGib;
  DeviceInfo emulated, gpu;
  gpu.has_clock = true;
  const MeasureDevice place = recipe.measurer(node, {emulated}, emulated);
  EXPECT_EQ(place.slots, 3);
  EXPECT_EQ(place.limits.private_bytes, worker_memory(100 * kGib, 6, nullptr).emulate);
  EXPECT_EQ(recipe.measurer(node, {gpu}, gpu).slots, 1);
  EXPECT_EQ(recipe.measurer(node, {gpu}, gpu).limits.private_bytes, 90 * kGib);
  const CompilePoolOptions compile = recipe.compilers({node}, {{emulated}});
  ASSERT_EQ(compile.places.size(), 1u);
  EXPECT_EQ(compile.places[0].workers, 3);
  node.memory_setting = "512MiB";
  EXPECT_EQ(recipe.measurer(node, {gpu}, gpu).limits.private_bytes, 512u << 20);
}

TEST(UsualHazards, KernelsOfTheTreeAreRejectedAndThoseOfOthersWarnedAbout) {
  Paths paths;
  paths.home = "/nowhere/warpwright";
  KernelSpec kernel;
  kernel.folder = "/nowhere/warpwright/kernels/softmax_topk";
  EXPECT_EQ(usual_hazards(paths, kernel), HazardPolicy::kReject);
  for (const char* folder : {"/nowhere/mine/softmax_topk", "/nowhere/mine/kernels/softmax_topk",
                             "/nowhere/warpwright/tests/fixtures/softmax_topk"}) {
    kernel.folder = folder;
    EXPECT_EQ(usual_hazards(paths, kernel), HazardPolicy::kWarn) << folder;
  }
}

}  // namespace
}  // namespace warpwright
