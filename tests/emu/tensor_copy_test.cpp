// Tensor copies of one to five dimensions compared with a plain loop over the box: edges, fills,
// element strides, swizzles, stores, reductions.
#include <gmock/gmock.h>

#include "async_harness.h"

namespace warpwright::emu {
namespace {

using testing::HasSubstr;

struct Box {
  const char* name;
  std::vector<std::uint64_t> sizes;  // innermost first, of 32-bit elements
  std::vector<std::uint16_t> box;
  std::vector<std::int32_t> at;
  TensorSwizzle swizzle = TensorSwizzle::kNone;
  TensorFill fill = TensorFill::kZero;
  std::vector<std::uint8_t> steps = {1, 1, 1, 1, 1};
};
std::ostream& operator<<(std::ostream& out, const Box& box) { return out << box.name; }

std::uint32_t element(std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u + 1); }

// One word of the tensor for every word of the tile, in the tile's order without swizzle; -1
// outside.
std::vector<std::int64_t> source_of_tile(const Box& test) {
  std::vector<std::int64_t> from{0};
  std::vector<bool> inside{true};
  std::uint64_t pitch = 1;
  // Expands the outermost dimension first, because expanding the innermost first would reverse the
  // order.
  std::vector<std::uint64_t> pitches;
  for (const std::uint64_t size : test.sizes) {
    pitches.push_back(pitch);
    pitch *= size;
  }
  for (std::size_t d = test.sizes.size(); d-- > 0;) {
    std::vector<std::int64_t> next;
    std::vector<bool> next_inside;
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (int e = 0; e < test.box[d]; e += test.steps[d]) {
        const std::int64_t index = test.at[d] + e;
        next.push_back(from[i] + index * static_cast<std::int64_t>(pitches[d]));
        next_inside.push_back(inside[i] && index >= 0 &&
                              index < static_cast<std::int64_t>(test.sizes[d]));
      }
    }
    from = next;
    inside = next_inside;
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!inside[i]) from[i] = -1;
  }
  return from;
}

// The place of the tile's word `i`: rows of 128, 64 or 32 bytes whose 16-byte pieces are permuted.
std::size_t place(const Box& test, std::size_t i) {
  const std::size_t byte = 4 * i;
  const std::size_t line = byte / 128;
  const std::size_t piece = byte / 16 % 8;
  std::size_t flip = 0;
  if (test.swizzle == TensorSwizzle::k128) flip = line % 8;
  if (test.swizzle == TensorSwizzle::k64) flip = line % 4;
  if (test.swizzle == TensorSwizzle::k32) flip = line % 2;
  return (line * 128 + (piece ^ flip) * 16 + byte % 16) / 4;
}

std::array<std::byte, kTensorMapBytes> map_of(const Box& test, std::uint64_t address) {
  TensorMap map;
  map.rank = static_cast<std::uint8_t>(test.sizes.size());
  map.element = TensorElement::kF32;
  map.swizzle = test.swizzle;
  map.fill = test.fill;
  map.address = address;
  std::uint64_t stride = 4;
  for (std::size_t d = 0; d < test.sizes.size(); ++d) {
    map.sizes[d] = test.sizes[d];
    map.box[d] = test.box[d];
    map.element_strides[d] = test.steps[d];
    stride *= test.sizes[d];
    if (d + 1 < test.sizes.size()) map.strides[d] = stride;
  }
  return to_bytes(map);
}

std::string coordinates(const Box& test) {
  std::string list = "{";
  for (std::size_t d = 0; d < test.at.size(); ++d) {
    if (d != 0) list += ", ";
    list += std::to_string(test.at[d]);
  }
  return list + "}";
}

struct alignas(64) MapParameter {
  std::array<std::byte, kTensorMapBytes> bytes;
};

class TensorCopy : public testing::TestWithParam<Box> {
 protected:
  const Box& test_ = GetParam();
  std::vector<std::int64_t> source_ = source_of_tile(test_);
  std::string rank_ = std::to_string(test_.sizes.size());
  std::vector<std::uint32_t> tensor_ = [this] {
    std::size_t count = 1;
    for (const std::uint64_t size : test_.sizes) count *= size;
    std::vector<std::uint32_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = element(i);
    return values;
  }();
};

TEST_P(TensorCopy, LoadsItsBox) {
  const std::string bytes = std::to_string(4 * source_.size());
  Harness harness(
      async_ptx(".param .align 64 .b8 map[128]",
                "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;\n@%p0 mbarrier.init.shared.b64 "
                "[%r1], 1;\nfence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
                "@!%p0 bra ISSUED;\nmbarrier.arrive.expect_tx.shared.b64 _, [%r1], " +
                    bytes + ";\ncp.async.bulk.tensor." + rank_ +
                    "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%rd1, " +
                    coordinates(test_) + "], [%r1];\nISSUED:\n" + wait_ptx(),
                static_cast<int>(source_.size())));
  harness.launch.block = {64, 1, 1};
  const auto tensor = harness.upload(tensor_);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    harness.options.seed = seed;
    harness.options.check = seed == 3;
    const auto out = harness.zeros<std::uint32_t>(source_.size());
    const LaunchReport report = harness.run(MapParameter{map_of(test_, tensor.address)}, out);
    ASSERT_FALSE(report.fault) << report.fault->message;
    EXPECT_TRUE(report.hazards.empty()) << report.hazards[0].message;
    const auto got = harness.download(out);
    for (std::size_t i = 0; i < source_.size(); ++i) {
      const std::uint32_t filled = test_.fill == TensorFill::kNan ? 0x7fffffffu : 0;
      const std::uint32_t expected =
          source_[i] < 0 ? filled : element(static_cast<std::size_t>(source_[i]));
      ASSERT_EQ(got[place(test_, i)], expected) << "word " << i << " of the tile";
    }
  }
}

TEST_P(TensorCopy, StoresWhatLiesInside) {
  Harness harness(async_ptx(
      ".param .align 64 .b8 map[128]",
      "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u32 %r3, %r2;\n"
      "FILL: setp.ge.u32 %p1, %r3, 4096; @%p1 bra FILLED; shl.b32 %r4, %r3, 2; add.u32 %r4, %r4, "
      "%r0;\n"
      "add.u32 %r5, %r3, 7; st.shared.u32 [%r4], %r5; add.u32 %r3, %r3, 32; bra FILL;\nFILLED:\n"
      "fence.proxy.async.shared::cta; bar.sync 0;\n@!%p0 bra STORED;\n"
      "cp.async.bulk.tensor." +
          rank_ + "d.global.shared::cta.tile.bulk_group [%rd1, " + coordinates(test_) +
          "], [%r0];\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nSTORED:\n",
      1));
  const auto tensor = harness.upload(tensor_);
  harness.run_clean(MapParameter{map_of(test_, tensor.address)}, harness.zeros<std::uint32_t>(1));
  std::vector<std::uint32_t> expected = tensor_;
  for (std::size_t i = 0; i < source_.size(); ++i) {
    if (source_[i] >= 0)
      expected[static_cast<std::size_t>(source_[i])] =
          static_cast<std::uint32_t>(place(test_, i) + 7);
  }
  EXPECT_EQ(harness.download(tensor), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Boxes, TensorCopy,
    testing::Values(Box{"line", {256}, {64}, {17}}, Box{"line_past_its_end", {100}, {64}, {80}},
                    Box{"line_before_its_start", {100}, {64}, {-9}},
                    Box{"plane", {64, 32}, {16, 8}, {20, 5}},
                    Box{"plane_at_a_corner", {60, 32}, {16, 8}, {50, 28}},
                    Box{"plane_outside", {64, 32}, {16, 8}, {64, 0}},
                    Box{"plane_before_both",
                        {64, 32},
                        {16, 8},
                        {-3, -5},
                        TensorSwizzle::kNone,
                        TensorFill::kNan},
                    Box{"swizzle_128", {96, 48}, {32, 16}, {30, 3}, TensorSwizzle::k128},
                    Box{"swizzle_64", {96, 48}, {16, 32}, {8, 20}, TensorSwizzle::k64},
                    Box{"swizzle_32", {96, 48}, {8, 32}, {90, 1}, TensorSwizzle::k32},
                    Box{"cube", {16, 12, 10}, {8, 4, 3}, {4, 9, 8}},
                    Box{"hypercube", {12, 8, 6, 5}, {4, 3, 2, 2}, {9, 6, -1, 4}},
                    Box{"five", {8, 6, 5, 4, 3}, {4, 3, 2, 2, 2}, {5, 4, 3, -1, 2}},
                    Box{"every_other_row",
                        {32, 40},
                        {16, 12},
                        {8, 3},
                        TensorSwizzle::kNone,
                        TensorFill::kZero,
                        {1, 2}},
                    Box{"every_third_plane",
                        {16, 8, 20},
                        {8, 4, 7},
                        {3, 2, 15},
                        TensorSwizzle::kNone,
                        TensorFill::kZero,
                        {1, 1, 3}}),
    [](const auto& test) { return std::string(test.param.name); });

std::string fault_of(const TensorMap& map, int rank) {
  std::string at = "{0";
  for (int d = 1; d < rank; ++d) at += ", 0";
  Harness harness(
      async_ptx(".param .align 64 .b8 map[128]",
                "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;\n"
                "@%p0 mbarrier.init.shared.b64 [%r1], 1;\nbar.sync 0;\n"
                "@%p0 cp.async.bulk.tensor." +
                    std::to_string(rank) +
                    "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%rd1, " +
                    at + "}], [%r1];\n",
                1));
  const LaunchReport report =
      harness.run(MapParameter{to_bytes(map)}, harness.zeros<std::uint32_t>(1));
  return report.fault ? report.fault->message : "";
}

TEST(TensorCopyFaults, NameWhatIsWrongWithTheMap) {
  Harness memory(async_ptx("", "", 1));
  TensorMap map;
  EXPECT_THAT(fault_of(map, 2), HasSubstr("a tensor copy of 2 dimensions")) << "rank 0";
  map.rank = 1;
  map.element = TensorElement::kF32;
  map.sizes[0] = 64;
  map.box[0] = 16;
  map.element_strides[0] = 1;
  map.address = 4096;
  EXPECT_THAT(fault_of(map, 1), HasSubstr("which lie in no buffer"));
  map.magic = 0;
  EXPECT_THAT(fault_of(map, 1), HasSubstr("a tensor map that was never encoded"));
}

TEST(TensorReduction, AddsTheBox) {
  const Box test{"plane", {64, 32}, {16, 8}, {56, 5}};
  Harness harness(async_ptx(
      ".param .align 64 .b8 map[128]",
      "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u32 %r3, %r2; mov.u32 %r5, 0x40000000;\n"
      "FILL: setp.ge.u32 %p1, %r3, 128; @%p1 bra FILLED; shl.b32 %r4, %r3, 2; add.u32 %r4, %r4, "
      "%r0;\n"
      "st.shared.u32 [%r4], %r5; add.u32 %r3, %r3, 32; bra FILL;\nFILLED:\n"
      "fence.proxy.async.shared::cta; bar.sync 0;\n@!%p0 bra STORED;\n"
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {56, 5}], "
      "[%r0];\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nSTORED:\n",
      1));
  const auto tensor = harness.upload(std::vector<float>(64 * 32, 1.0f));
  harness.run_clean(MapParameter{map_of(test, tensor.address)}, harness.zeros<std::uint32_t>(1));
  const auto got = harness.download(tensor);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool inside = i % 64 >= 56 && i / 64 >= 5 && i / 64 < 13;
    EXPECT_EQ(got[i], inside ? 3.0f : 1.0f) << i;
  }
}

}  // namespace
}  // namespace warpwright::emu
