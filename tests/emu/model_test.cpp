// Device models, occupancy and the time model.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

EntryResources registers(int count) {
  EntryResources resources;
  resources.registers = count;
  return resources;
}

TEST(DeviceModels, KnowTheirLimits) {
  EXPECT_EQ(device_models().size(), 5u);
  EXPECT_FALSE(find_model("sm_75").has_value());
  const DeviceModel h200 = *find_model("sm_90a");
  EXPECT_EQ(h200.name, "emulated NVIDIA H200 (sm_90a)");
  EXPECT_EQ(h200.sm_count, 132);
  EXPECT_EQ(h200.max_shared_per_block, 227 * 1024);
  EXPECT_EQ(h200.l2_bytes, 62914560);
  EXPECT_EQ(find_model("sm_120a")->max_shared_per_block, 99 * 1024);
  EXPECT_EQ(find_model("sm_80")->shared_per_sm, 164 * 1024);
  EXPECT_EQ(find_model("h100")->arch, "sm_90a");
  EXPECT_EQ(find_model("h100")->l2_bytes, 50 * 1024 * 1024);
}

TEST(DeviceModels, TellWhatTheTimeModelReachesAtBest) {
  const auto h200 = model_ceilings(*find_model("sm_90a"));
  EXPECT_DOUBLE_EQ(h200.at("fma_f32"), 132 * 1.98 * 128 * 2);
  EXPECT_DOUBLE_EQ(h200.at("fma_f64"), 132 * 1.98 * 64 * 2);
  EXPECT_DOUBLE_EQ(h200.at("fma_f16"), 132 * 1.98 * 128 * 4);
  EXPECT_DOUBLE_EQ(h200.at("read"), 4800 * 0.92);
  EXPECT_DOUBLE_EQ(h200.at("l2_read"), 10000);
  // Within 10 % of the rates measured on an H200.
  EXPECT_NEAR(h200.at("tensor_bf16"), 912'756, 0.1 * 912'756);
  EXPECT_NEAR(h200.at("tensor_tf32"), 474'844, 0.1 * 474'844);
  EXPECT_NEAR(h200.at("tensor_i8"), 1'908'149, 0.1 * 1'908'149);
  EXPECT_DOUBLE_EQ(model_ceilings(*find_model("sm_80")).at("fma_f32"), 108 * 1.41 * 64 * 2);
  EXPECT_EQ(model_ceilings(*find_model("sm_80")).count("tensor_e4m3"), 0u);
  EXPECT_DOUBLE_EQ(model_ceilings(*find_model("sm_120a")).at("tensor_e4m3"),
                   188 * 2.6 * 2048 * 0.85);
}

TEST(Occupancy, IsLimitedByEachResource) {
  const DeviceModel h200 = *find_model("sm_90a");
  EXPECT_EQ(blocks_per_sm(h200, registers(32), 256, 0), 8);           // threads
  EXPECT_EQ(blocks_per_sm(h200, registers(32), 32, 0), 32);           // blocks
  EXPECT_EQ(blocks_per_sm(h200, registers(64), 256, 0), 4);           // registers
  EXPECT_EQ(blocks_per_sm(h200, registers(65), 256, 0), 3);           // 72 after rounding: 28 warps
  EXPECT_EQ(blocks_per_sm(h200, registers(255), 1024, 0), 0);         // does not fit
  EXPECT_EQ(blocks_per_sm(h200, registers(32), 128, 227 * 1024), 1);  // shared, with the reserve
  EXPECT_EQ(blocks_per_sm(h200, registers(32), 128, 100 * 1024), 2);
  EXPECT_EQ(blocks_per_sm(h200, registers(32), 128, 228 * 1024), 0);
}

TEST(TimeModel, StreamingTakesTheMemorysTime) {
  const DeviceModel h200 = *find_model("sm_90a");
  Launch launch;
  launch.grid = {132 * 64, 1, 1};
  launch.block = {256, 1, 1};
  Counters counters;
  counters.global_load_sectors = std::uint64_t{1} << 25;  // 1 GiB
  counters.global_distinct_bytes = std::uint64_t{1} << 30;
  counters.load_store = std::uint64_t{1} << 23;
  counters.warp_instructions = std::uint64_t{1} << 25;
  const double us = model_us(h200, registers(32), launch, counters);
  const double ideal = 1073741824.0 / 4.8e6;
  EXPECT_GT(us, ideal);
  EXPECT_LT(us, ideal * 1.3);
  // The same traffic within L2 is faster.
  counters.global_distinct_bytes = 16 << 20;
  EXPECT_LT(model_us(h200, registers(32), launch, counters), us);
}

TEST(TimeModel, TwoFloatsInAByteTakeHalfTheTimeOfOne) {
  const DeviceModel rtx = *find_model("sm_120a");
  Launch launch;
  launch.grid = {1880, 1, 1};
  launch.block = {256, 1, 1};
  Counters bytes;
  bytes.tensor_fp8_ops = std::uint64_t{1} << 40;
  Counters halves;
  halves.tensor_fp4_ops = bytes.tensor_fp8_ops;
  const auto compute_us = [&](const Counters& counters) {
    const ModelledTime time = model_time(rtx, registers(64), launch, counters);
    EXPECT_EQ(time.terms_us.front().first, "compute");
    return time.terms_us.front().second;
  };
  EXPECT_DOUBLE_EQ(compute_us(bytes), 2 * compute_us(halves));
}

TEST(TimeModel, GrowsWithInstructionsAndConflicts) {
  const DeviceModel h200 = *find_model("sm_90a");
  Launch launch;
  launch.grid = {1320, 1, 1};
  launch.block = {256, 1, 1};
  Counters counters;
  counters.warp_instructions = 100'000'000;
  counters.fp32 = 90'000'000;
  const double few = model_us(h200, registers(32), launch, counters);
  counters.fp32 *= 4;
  counters.warp_instructions *= 4;
  const double many = model_us(h200, registers(32), launch, counters);
  EXPECT_GT(many, 3 * few);
  counters.shared_wavefronts = 1'000'000'000;
  EXPECT_GT(model_us(h200, registers(32), launch, counters), 2 * many);
  EXPECT_EQ(model_us(h200, registers(255),
                     Launch{nullptr, "", {1, 1, 1}, {1024, 1, 1}, {1, 1, 1}, 0, 0, {}}, counters),
            0);
}

}  // namespace
}  // namespace warpwright::emu
