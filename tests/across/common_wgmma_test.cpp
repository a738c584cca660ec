// kernels/common: wgmma.cuh and wgmma_operand.cuh, on tiles as tensor copies leave them.
#include "header_harness.h"

namespace warpwright::emu {
namespace {

struct Tile {
  const char* operand;
  int width;  // columns of the product
  int depth;
};
void PrintTo(const Tile& tile, std::ostream* out) {
  *out << tile.operand << ", 64 x " << tile.width << " x " << tile.depth;
}

class WgmmaTileHeader : public HeaderTest, public testing::WithParamInterface<Tile> {
 protected:
  void prepare(const Tile& tile, Defines more = {}) {
    tile_ = tile;
    more.insert(more.end(), {{"OPERAND", tile.operand},
                             {"WIDTH", std::to_string(tile.width)},
                             {"DEPTH", std::to_string(tile.depth)}});
    compile("wgmma.cu", more);
    if (HasFatalFailure()) return;
    schedules_ = 3;  // large, and with one thread that does anything but multiply
    a_.emplace(integers(tile.operand, 64, tile.depth));
    left_ = upload(*a_);
    out_ = harness_->zeros<float>(64 * static_cast<std::size_t>(tile.width));
  }
  // Panels of 64 columns, all of them by one copy.
  [[nodiscard]] Map panels(std::uint64_t address, int rows, int columns) const {
    TensorMap map;
    map.rank = 4;
    map.element = tile_.operand == std::string("f16") ? TensorElement::kF16 : TensorElement::kBf16;
    map.swizzle = TensorSwizzle::k128;
    map.address = address;
    const auto height = static_cast<std::uint64_t>(rows),
               width = static_cast<std::uint64_t>(columns);
    map.sizes = {64, height, width / 64, 1};
    map.strides = {2 * width, 128, 2 * width * height};
    map.box = {64, static_cast<std::uint16_t>(rows), static_cast<std::uint16_t>(columns / 64), 1};
    map.element_strides = {1, 1, 1, 1};
    return {to_bytes(map)};
  }
  // The entry's b has its rows along k, or along n when it is transposed; those may be wider than
  // the product.
  Matrix right(bool transposed) {
    const int whole = (tile_.width + 63) / 64 * 64;
    return transposed ? integers(tile_.operand, tile_.depth, whole)
                      : integers(tile_.operand, tile_.width, tile_.depth);
  }
  std::vector<float> expected(const Matrix& b, bool transposed) const {
    const std::vector<float> all = product<float>(*a_, b, !transposed);
    const auto pitch = all.size() / 64, width = static_cast<std::size_t>(tile_.width);
    std::vector<float> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % pitch < width) found.push_back(all[i]);
    }
    return found;
  }
  void prepare_shape(const std::string& entry) {
    const int whole = (tile_.width + 63) / 64 * 64;
    const int bytes = (64 + whole) * tile_.depth * 2 + 1024;  // tiles, and barriers behind them
    shape(entry, 128, static_cast<std::uint32_t>(bytes));
  }
  Map left_map() const { return panels(left_.address, 64, tile_.depth); }

  Tile tile_{};
  std::optional<Matrix> a_;
  Buffer<std::uint32_t> left_;
  Buffer<float> out_;
};

TEST_P(WgmmaTileHeader, MultipliesFromSharedMemoryAndRegistersWithBothOrdersOfB) {
  prepare(GetParam());
  if (HasFatalFailure()) return;
  for (const bool transposed : {false, true}) {
    const Matrix b = right(transposed);
    const Map map = panels(upload(b).address, b.rows, b.columns);
    const std::vector<float> sums = expected(b, transposed);
    for (const std::string source : {"ss", "rs"}) {
      const std::string entry = "multiply_" + source + (transposed ? "_transposed" : "");
      SCOPED_TRACE(entry);
      prepare_shape(entry);
      works([&] { EXPECT_EQ(harness_->download(out_), sums); }, left_map(), map, left_, out_);
    }
  }
}

// Every width has an instruction of its own.
std::vector<Tile> tiles() {
  std::vector<Tile> all;
  for (int width = 16; width <= 256; width += 16) {
    all.push_back({"bf16", width, 128});
    all.push_back({"f16", width, 64});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Tiles, WgmmaTileHeader, testing::ValuesIn(tiles()), [](const auto& test) {
  return std::string(test.param.operand) + "Width" + std::to_string(test.param.width) + "Depth" +
         std::to_string(test.param.depth);
});

class WgmmaTileMisused : public WgmmaTileHeader {};

TEST_P(WgmmaTileMisused, IsFound) {
  prepare(GetParam(), {{"DEFECTS", "1"}});
  if (HasFatalFailure()) return;
  const auto multiply_fails = [&](const char* entry, bool transposed,
                                  const std::set<std::string>& kinds) {
    const Matrix b = right(transposed);
    const Map map = panels(upload(b).address, b.rows, b.columns);
    prepare_shape(entry);
    fails(kinds, left_map(), map, left_, out_);
  };
  multiply_fails("multiply_no_arrival", false,
                 {"missing wait", "shared race", "uninitialised shared memory"});
  multiply_fails("multiply_no_wait", true, {"register in flight"});
}

TEST_P(WgmmaTileMisused, ADescriptorOfOtherPanelsGivesOtherSums) {
  prepare(GetParam(), {{"DEFECTS", "1"}});
  if (HasFatalFailure()) return;
  const Matrix b = right(true);
  const std::vector<float> sums = expected(b, true);
  prepare_shape("multiply_wrong_rows");
  static_cast<void>(
      harness_->run(left_map(), panels(upload(b).address, b.rows, b.columns), left_, out_));
  EXPECT_NE(harness_->download(out_), sums);
}

INSTANTIATE_TEST_SUITE_P(Tiles, WgmmaTileMisused, testing::Values(Tile{"bf16", 128, 64}),
                         [](const auto&) { return "Width128"; });

}  // namespace
}  // namespace warpwright::emu
