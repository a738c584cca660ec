// kernels/common: block_scale.cuh and scaled_mma.cuh. The headers built on them, scaled_product.cuh
// and decoded_product.cuh, are tested by the cases of gemm_nvfp4 and scores_mxf8.
#include <numeric>

#include "emu/numbers/small_float.h"
#include "header_harness.h"

namespace warpwright::emu {
namespace {

class ScaledMmaHeader : public HeaderTest, public testing::WithParamInterface<const char*> {
 protected:
  static constexpr int kWords = 2;  // of scales of a row

  [[nodiscard]] bool nvfp4() const { return GetParam() == std::string("nvfp4"); }
  [[nodiscard]] std::string element() const { return nvfp4() ? "e2m1" : "e4m3"; }
  [[nodiscard]] int block() const { return nvfp4() ? 16 : 32; }
  [[nodiscard]] SmallFormat scale_format() const {
    return nvfp4() ? SmallFormat::kUe4m3 : SmallFormat::kUe8m0;
  }

  void prepare() {
    compile("scaled_mma.cu", {{"FORMAT", GetParam()}}, "sm_120a");
    if (HasFatalFailure()) return;
    const int columns = kWords * 4 * block();
    a_ = integers(element(), 32, columns);
    b_ = integers(element(), 32, columns);
    for (Words* scales : {&scale_a_, &scale_b_}) {
      for (std::uint32_t& word : *scales) {
        for (int byte = 0; byte < 4; ++byte)
          word |= (nvfp4() ? 0x38 + random_() % 8 : 125 + random_() % 5) << 8 * byte;
      }
    }
  }

  [[nodiscard]] double scale(const Words& scales, int row, int column) const {
    const int at = column / block();
    const std::uint32_t word = scales[static_cast<std::size_t>(row * kWords + at / 4)];
    return small_values(scale_format())[word >> 8 * (at % 4) & 0xff];
  }

  [[nodiscard]] std::vector<float> expected() const {
    std::vector<float> out;
    for (int m = 0; m < 32; ++m) {
      for (int n = 0; n < 32; ++n) {
        double sum = 0;
        for (int k = 0; k < a_.columns; ++k)
          sum += a_.value(m, k) * scale(scale_a_, m, k) * b_.value(n, k) * scale(scale_b_, n, k);
        out.push_back(static_cast<float>(sum));
      }
    }
    return out;
  }

  Matrix a_{"e4m3", 0, 0}, b_{"e4m3", 0, 0};
  Words scale_a_ = Words(32 * kWords), scale_b_ = Words(32 * kWords);
};

TEST_P(ScaledMmaHeader, FragmentsAndScalesAreWhereTheHeaderSays) {
  prepare();
  if (HasFatalFailure()) return;
  const auto left = upload(a_), right = upload(b_);
  const auto scale_left = harness_->upload(scale_a_), scale_right = harness_->upload(scale_b_);
  const auto out = harness_->zeros<float>(32 * 32);
  const std::vector<float> sums = expected();
  shape("multiply_right", 32);
  works([&] { EXPECT_EQ(harness_->download(out), sums); }, left, scale_left, right, scale_right,
        out, kWords);
  for (const char* wrong : {"multiply_wrong_thread", "multiply_wrong_rows"}) {
    shape(wrong, 32);
    works([&] { EXPECT_NE(harness_->download(out), sums) << wrong; }, left, scale_left, right,
          scale_right, out, kWords);
  }
}

TEST_P(ScaledMmaHeader, DecodesEveryCode) {
  prepare();
  if (HasFatalFailure()) return;
  Words codes(256);
  std::iota(codes.begin(), codes.end(), 0u);
  const auto in = harness_->upload(codes);
  const auto elements = harness_->zeros<float>(256), scales = harness_->zeros<float>(256);
  shape("decode_all", 256);
  works(
      [&] {
        const SmallFormat format = nvfp4() ? SmallFormat::kE2m1 : SmallFormat::kE4m3;
        const std::vector<float> got = harness_->download(elements);
        const std::vector<float> got_scales = harness_->download(scales);
        for (std::size_t code = 0; code < 256; ++code) {
          const double value = small_values(format)[code];
          const double scale = small_values(scale_format())[code];
          EXPECT_TRUE(got[code] == value || (std::isnan(got[code]) && std::isnan(value))) << code;
          EXPECT_TRUE(std::isnan(value) || std::signbit(got[code]) == std::signbit(value)) << code;
          EXPECT_TRUE(got_scales[code] == scale ||
                      (std::isnan(got_scales[code]) && std::isnan(scale)))
              << code;
        }
      },
      in, elements, scales);
}

INSTANTIATE_TEST_SUITE_P(Formats, ScaledMmaHeader, testing::Values("nvfp4", "mxf8"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace warpwright::emu
