// kernels/common: mbarrier.cuh, tma.cuh and pipeline.cuh.
#include <numeric>

#include "header_harness.h"

namespace warpwright::emu {
namespace {

using Kinds = std::set<std::string>;
// A read that is too early may come before or after the copy.
const Kinds kTooEarly{"missing wait", "shared race", "uninitialised shared memory"};

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

class MbarrierHeader : public HeaderTest {
 protected:
  static constexpr int kTiles = 5;

  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("mbarrier.cu");
  }
  void exchange_fails(const std::string& defect, const Kinds& kinds) {
    const auto in = harness_->upload(counted(64 * kTiles));
    const auto out = harness_->zeros<float>(64 * kTiles);
    shape("exchange_" + defect, 128);
    fails(kinds, in, out, kTiles);
  }
};

TEST_F(MbarrierHeader, HandsTilesOverInBothDirections) {
  const auto values = counted(64 * kTiles);
  auto expected = values;
  for (auto tile = expected.begin(); tile != expected.end(); tile += 64)
    std::reverse(tile, tile + 64);
  const auto in = harness_->upload(values);
  const auto out = harness_->zeros<float>(64 * kTiles);
  shape("exchange_right", 128);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, in, out, kTiles);
}

// Phase 0 lasts for two arrivals, then phase 1 for two; the phase before the first is over.
TEST_F(MbarrierHeader, AParityIsOverWhenItsPhaseIs) {
  shape("phase", 1);
  for (int arrivals = 0; arrivals <= 5; ++arrivals) {
    SCOPED_TRACE(std::to_string(arrivals) + " arrivals");
    const std::uint32_t over = arrivals / 2 % 2 == 0 ? 1 : 0;
    const auto out = harness_->zeros<std::uint32_t>(1);
    works([&] { EXPECT_EQ(harness_->download(out)[0], 1u); }, arrivals, over, out);
    // No thread is left to end the other one.
    fails({"deadlock"}, arrivals, over ^ 1, out);
  }
}

TEST_F(MbarrierHeader, AMissingWaitIsARace) { exchange_fails("no_wait", kTooEarly); }
TEST_F(MbarrierHeader, WaitingForTheParityOfANewBarrierIsARace) {
  exchange_fails("new_parity", {"shared race", "uninitialised shared memory", "deadlock"});
}
TEST_F(MbarrierHeader, AMissingArrivalHangs) { exchange_fails("no_arrival", {"deadlock"}); }
TEST_F(MbarrierHeader, ABarrierThatWasNeverInitialisedIsSeen) {
  exchange_fails("never_initialised", {"trap"});
}

// Bytes of a row in the tile, and by how many it is swizzled.
struct Swizzle {
  std::uint32_t span;
  std::uint32_t bytes;
};
void PrintTo(const Swizzle& swizzle, std::ostream* out) {
  *out << swizzle.span << " bytes, swizzle " << swizzle.bytes;
}

class TmaHeader : public HeaderTest, public testing::WithParamInterface<Swizzle> {
 protected:
  static constexpr std::uint64_t kRows = 40, kPanels = 3, kHeads = 2;
  static constexpr std::uint64_t kBoxRows = 16, kBoxPanels = 2;

  void prepare(Swizzle swizzle) {
    compile("tma.cu",
            {{"SPAN", std::to_string(swizzle.span)}, {"SWIZZLE", std::to_string(swizzle.bytes)}});
    if (HasFatalFailure()) return;
    columns_ = swizzle.span / 4;
    values_.resize(columns_ * kRows * kPanels * kHeads);
    std::iota(values_.begin(), values_.end(), 1u);
    out_ = harness_->zeros<std::uint32_t>(columns_ * kBoxRows * kBoxPanels);
    const auto kind = static_cast<TensorSwizzle>(std::countr_zero(swizzle.bytes / 16 | 8u));
    map_ =
        map_of(harness_->upload(values_).address, TensorElement::kU32,
               swizzle.bytes == 0 ? TensorSwizzle::kNone : kind, {columns_, kRows, kPanels, kHeads},
               {static_cast<std::uint16_t>(columns_), kBoxRows, kBoxPanels, 1});
  }
  // The contents of a box that starts at this row and panel of the last head; zeros outside.
  [[nodiscard]] std::vector<std::uint32_t> box(int row, int panel) const {
    std::vector<std::uint32_t> found;
    for (std::uint64_t z = 0; z < kBoxPanels; ++z) {
      for (std::uint64_t y = 0; y < kBoxRows; ++y) {
        const std::uint64_t at_row = y + static_cast<std::uint64_t>(row);  // wraps if negative
        const std::uint64_t at_panel = z + static_cast<std::uint64_t>(panel);
        const std::uint64_t line = ((kHeads - 1) * kPanels + at_panel) * kRows + at_row;
        for (std::uint64_t x = 0; x < columns_; ++x) {
          const bool inside = at_row < kRows && at_panel < kPanels;
          found.push_back(inside ? values_[line * columns_ + x] : 0);
        }
      }
    }
    return found;
  }

  std::uint64_t columns_ = 0;
  std::vector<std::uint32_t> values_;
  Buffer<std::uint32_t> out_;
  Map map_{};
};

TEST_P(TmaHeader, EveryElementIsWhereSwizzledOffsetSays) {
  prepare(GetParam());
  shape("copy_right", 64);
  // Inside, over the last row and panel, and before the first row.
  for (const auto& [row, panel] : std::vector<std::pair<int, int>>{{8, 1}, {30, 2}, {-5, 0}}) {
    SCOPED_TRACE("row " + std::to_string(row) + ", panel " + std::to_string(panel));
    works([&] { EXPECT_EQ(harness_->download(out_), box(row, panel)); }, map_, out_, 0, row, panel,
          static_cast<int>(kHeads - 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Swizzles, TmaHeader,
                         testing::Values(Swizzle{32, 32}, Swizzle{64, 64}, Swizzle{128, 128},
                                         Swizzle{32, 0}, Swizzle{128, 0}),
                         [](const auto& test) {
                           return "Span" + std::to_string(test.param.span) + "Swizzle" +
                                  std::to_string(test.param.bytes);
                         });

class TmaMisused : public TmaHeader {};

TEST_P(TmaMisused, IsFound) {
  prepare(GetParam());
  const auto copy_fails = [&](const char* entry, const Kinds& kinds) {
    shape(entry, 64);
    fails(kinds, map_, out_, 0, 0, 0, 0);
  };
  copy_fails("copy_no_wait", kTooEarly);
  copy_fails("copy_few_bytes", {"deadlock"});
  copy_fails("copy_many_bytes", {"deadlock"});
}

TEST_P(TmaMisused, LinearReadsOfASwizzledTileAreWrong) {
  prepare(GetParam());
  shape("copy_linear", 64);
  works([&] { EXPECT_NE(harness_->download(out_), box(0, 1)); }, map_, out_, 0, 0, 1,
        static_cast<int>(kHeads - 1));
}

INSTANTIATE_TEST_SUITE_P(Swizzles, TmaMisused, testing::Values(Swizzle{128, 128}),
                         [](const auto&) { return "Span128"; });

class PipelineHeader : public HeaderTest, public testing::WithParamInterface<int> {
 protected:
  static constexpr int kTiles = 7;  // more than stages, and no multiple of 2 or 3

  void prepare(int tiles = kTiles) {
    compile("pipeline.cu", {{"STAGES", std::to_string(GetParam())}});
    if (HasFatalFailure()) return;
    values_ = counted(64 * static_cast<std::size_t>(tiles));
    map_ = map_of(harness_->upload(values_).address, TensorElement::kF32, TensorSwizzle::kNone,
                  {64, static_cast<std::uint64_t>(tiles), 1, 1}, {64, 1, 1, 1});
    out_ = harness_->zeros<float>(2 * values_.size());
  }
  void stream_fails(const std::string& defect, const Kinds& kinds) {
    SCOPED_TRACE(defect);
    shape("stream_" + defect, 96);
    fails(kinds, map_, out_, kTiles);
  }

  std::vector<float> values_;
  Map map_{};
  Buffer<float> out_;
};

TEST_P(PipelineHeader, EveryConsumerGetsEveryTileInOrder) {
  for (const int tiles : {1, GetParam(), kTiles}) {
    SCOPED_TRACE(std::to_string(tiles) + " tiles");
    prepare(tiles);
    auto expected = values_;
    expected.insert(expected.end(), values_.begin(), values_.end());
    shape("stream_right", 96);
    works([&] { EXPECT_EQ(harness_->download(out_), expected); }, map_, out_, tiles);
  }
}

TEST_P(PipelineHeader, MisusesAreFound) {
  prepare();
  stream_fails("no_acquire", {"trap"});
  stream_fails("no_wait", kTooEarly);
  stream_fails("no_release", {"deadlock"});
  stream_fails("early_release", {"missing wait", "shared race"});
  stream_fails("no_fence", {"missing proxy fence"});
  stream_fails("one_too_many", {"deadlock"});
}

INSTANTIATE_TEST_SUITE_P(Stages, PipelineHeader, testing::Values(1, 2, 3));

}  // namespace
}  // namespace warpwright::emu
