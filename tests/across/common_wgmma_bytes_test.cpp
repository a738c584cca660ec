// kernels/common: operands of 8 bits in wgmma.cuh, panels of wgmma_operand.cuh, copies with five
// axes of tma.cuh.
#include "header_harness.h"

namespace warpwright::emu {
namespace {

struct BytePanels {
  int width;  // columns of the product
  int depth;
  int span;  // bytes of a panel's rows
};
void PrintTo(const BytePanels& panels, std::ostream* out) {
  *out << "64 x " << panels.width << " x " << panels.depth << ", panels of " << panels.span;
}

class WgmmaByteHeader : public HeaderTest, public testing::WithParamInterface<BytePanels> {
 protected:
  void prepare() {
    panels_ = GetParam();
    compile("wgmma_bytes.cu", {{"WIDTH", std::to_string(panels_.width)},
                               {"DEPTH", std::to_string(panels_.depth)},
                               {"SPAN", std::to_string(panels_.span)}});
    if (HasFatalFailure()) return;
    schedules_ = 3;  // large, and with one thread that does anything but multiply
    a_.emplace(integers("e4m3", 64, panels_.depth));
    b_.emplace(integers("e4m3", panels_.width, panels_.depth));
    left_ = upload(*a_);
    right_ = upload(*b_);
    out_ = harness_->zeros<float>(64 * static_cast<std::size_t>(panels_.width));
  }
  void prepare_shape(const std::string& entry) {
    const int bytes = (64 + panels_.width) * panels_.depth + 1024;  // barriers behind the tiles
    shape(entry, 128, static_cast<std::uint32_t>(bytes));
  }
  [[nodiscard]] Map map(std::uint64_t address, std::vector<std::uint64_t> sizes,
                        const std::vector<std::uint64_t>& strides) const {
    TensorMap map;
    map.rank = static_cast<std::uint8_t>(sizes.size());
    map.element = TensorElement::kU8;
    map.swizzle = panels_.span == 128  ? TensorSwizzle::k128
                  : panels_.span == 64 ? TensorSwizzle::k64
                                       : TensorSwizzle::k32;
    map.address = address;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      map.sizes[i] = sizes[i];
      map.box[i] = static_cast<std::uint16_t>(sizes[i]);
      map.element_strides[i] = 1;
      if (i > 0) map.strides[i - 1] = strides[i - 1];
    }
    return {to_bytes(map)};
  }
  [[nodiscard]] Map left_map() const {
    const auto depth = static_cast<std::uint64_t>(panels_.depth),
               span = static_cast<std::uint64_t>(panels_.span);
    return map(left_.address, {span, 64, depth / span, 1}, {depth, span, 64 * depth});
  }
  [[nodiscard]] Map right_map() const {
    const auto depth = static_cast<std::uint64_t>(panels_.depth),
               span = static_cast<std::uint64_t>(panels_.span),
               width = static_cast<std::uint64_t>(panels_.width);
    return map(right_.address, {span, 2, width / 4, 2, depth / span},
               {depth, 4 * depth, 2 * depth, span});
  }
  // Columns in the order in which the copy has left the rows of b.
  [[nodiscard]] std::vector<float> expected() const {
    const std::vector<float> all = product<float>(*a_, *b_, true);
    std::vector<float> ordered;
    for (int row = 0; row < 64; ++row) {
      for (int h = 0; h < 2; ++h) {
        for (int pair = 0; pair < panels_.width / 2; ++pair)
          ordered.push_back(
              all[static_cast<std::size_t>(row * panels_.width + pair / 2 * 4 + 2 * h + pair % 2)]);
      }
    }
    return ordered;
  }

  BytePanels panels_{};
  std::optional<Matrix> a_, b_;
  Buffer<std::uint32_t> left_, right_;
  Buffer<float> out_;
};

TEST_P(WgmmaByteHeader, MultipliesFromSharedMemoryAndRegisters) {
  prepare();
  if (HasFatalFailure()) return;
  const std::vector<float> sums = expected();
  for (const std::string entry : {"multiply_ss", "multiply_rs"}) {
    SCOPED_TRACE(entry);
    prepare_shape(entry);
    works([&] { EXPECT_EQ(harness_->download(out_), sums); }, left_map(), right_map(), left_, out_);
  }
}

TEST_P(WgmmaByteHeader, ADescriptorOfAnotherSpanGivesOtherSums) {
  prepare();
  if (HasFatalFailure()) return;
  prepare_shape("multiply_wrong_span");
  static_cast<void>(harness_->run(left_map(), right_map(), left_, out_));
  EXPECT_NE(harness_->download(out_), expected());
}

INSTANTIATE_TEST_SUITE_P(Panels, WgmmaByteHeader,
                         testing::Values(BytePanels{128, 128, 128}, BytePanels{64, 256, 128},
                                         BytePanels{128, 192, 64}, BytePanels{224, 128, 64},
                                         BytePanels{128, 160, 32}, BytePanels{16, 32, 32}),
                         [](const auto& test) {
                           return "Width" + std::to_string(test.param.width) + "Depth" +
                                  std::to_string(test.param.depth) + "Span" +
                                  std::to_string(test.param.span);
                         });

}  // namespace
}  // namespace warpwright::emu
