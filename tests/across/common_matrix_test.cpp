// kernels/common: ldmatrix.cuh, mma.cuh, quad.cuh and wmma.cuh.
#include <numeric>

#include "header_harness.h"

namespace warpwright::emu {
namespace {

class LdmatrixHeader : public HeaderTest {
 protected:
  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("ldmatrix.cu");
  }
  // Element [r][c] of the tile is 16*r + c.
  Buffer<std::uint16_t> tile() {
    std::vector<std::uint16_t> elements(256);
    std::iota(elements.begin(), elements.end(), std::uint16_t{0});
    return harness_->upload(elements);
  }
  // For every lane and matrix, the pair of row lane/4 from column 2*(lane%4) on, or its mirror.
  static Words fragments(bool transposed) {
    Words words;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t matrix = 0; matrix < 4; ++matrix) {
        const std::uint32_t line = lane / 4, along = 2 * (lane % 4);
        const std::uint32_t row = matrix % 2 * 8 + (transposed ? along : line);
        const std::uint32_t column = matrix / 2 * 8 + (transposed ? line : along);
        const std::uint32_t first = 16 * row + column;
        words.push_back(first | (first + (transposed ? 16 : 1)) << 16);
      }
    }
    return words;
  }
};

TEST_F(LdmatrixHeader, LanesHoldPairsOfRows) {
  const auto in = tile();
  const auto out = harness_->zeros<std::uint32_t>(128);
  shape("load_plain", 64);
  works([&] { EXPECT_EQ(harness_->download(out), fragments(false)); }, in, out);
}

TEST_F(LdmatrixHeader, LanesHoldPairsOfColumnsIfTransposed) {
  const auto in = tile();
  const auto out = harness_->zeros<std::uint32_t>(128);
  shape("load_transposed", 64);
  works([&] { EXPECT_EQ(harness_->download(out), fragments(true)); }, in, out);
}

TEST_F(LdmatrixHeader, RowMajorTilesMultiply) {
  const Matrix a = integers("bf16", 16, 16), b = integers("bf16", 16, 16);
  const auto left = upload(a), right = upload(b);
  const auto out = harness_->zeros<float>(256);
  shape("multiply", 32);
  works([&] { EXPECT_EQ(harness_->download(out), product<float>(a, b, false)); }, left, right, out);
}

TEST_F(LdmatrixHeader, MisusesAreFound) {
  const auto in = tile();
  const auto out = harness_->zeros<std::uint32_t>(128);
  shape("load_no_barrier", 64);
  fails({"shared race", "uninitialised shared memory"}, in, out);
  shape("load_off_by_two", 64);
  fails({"misaligned access"}, in, out);
}

class MmaHeader : public HeaderTest, public testing::WithParamInterface<const char*> {
 protected:
  static constexpr int kSteps = 3;

  void prepare() {
    compile("mma.cu", {{"OPERAND", GetParam()}});
    if (HasFatalFailure()) return;
    const std::string format = GetParam() == std::string("i8") ? "s8" : GetParam();
    const int columns = kSteps * 256 / number_format(format).bits;
    a_ = integers(format, 16, columns);
    b_ = integers(format, 8, columns);
    left_ = upload(a_);
    right_ = upload(b_);
  }
  template <class T>
  void multiplies() {
    const auto out = harness_->zeros<T>(128);
    const auto expected = product<T>(a_, b_, true);
    shape("multiply_right", 32);
    works([&] { EXPECT_EQ(harness_->download(out), expected); }, left_, right_, out, kSteps);
    shape("multiply_swapped", 32);
    works([&] { EXPECT_NE(harness_->download(out), expected); }, left_, right_, out, kSteps);
    shape("multiply_half_warp", 32);
    fails({"trap", "deadlock"}, left_, right_, out, kSteps);
  }

  Matrix a_{"s8", 0, 0}, b_{"s8", 0, 0};
  Buffer<std::uint32_t> left_, right_;
};

TEST_P(MmaHeader, FragmentsAreWhereTheHeaderSays) {
  prepare();
  if (HasFatalFailure()) return;
  if (GetParam() == std::string("i8"))
    multiplies<std::int32_t>();
  else
    multiplies<float>();
}

INSTANTIATE_TEST_SUITE_P(Operands, MmaHeader, testing::Values("f16", "bf16", "tf32", "e4m3", "i8"),
                         [](const auto& test) { return std::string(test.param); });

class QuadHeader : public HeaderTest {
 protected:
  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("quad.cu");
  }
};

TEST_F(QuadHeader, WordsAndLanesChangePlaces) {
  Words words(128), expected(128);
  std::iota(words.begin(), words.end(), 1u);
  for (std::size_t i = 0; i < words.size(); ++i)
    expected[i] = words[i / 16 * 16 + i % 4 * 4 + i / 4 % 4];
  const auto in = harness_->upload(words);
  const auto out = harness_->zeros<std::uint32_t>(128);
  shape("transpose_right", 32);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, in, out);
  shape("transpose_first_lanes", 32);
  fails({"deadlock"}, in, out);
}

class WmmaHeader : public HeaderTest, public testing::WithParamInterface<const char*> {
 protected:
  void prepare() {
    compile("wmma.cu", {{"TYPE", GetParam()}}, "sm_80");
    if (HasFatalFailure()) return;
    sums_.resize(256);
    std::iota(sums_.begin(), sums_.end(), -100.0f);
    out_ = harness_->zeros<float>(256);
  }
  void multiplies(const std::string& entry, const Matrix& b, bool rows_along_k) {
    const Matrix a = integers(GetParam(), 16, 32);
    auto expected = product<float>(a, b, rows_along_k);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += sums_[i];
    shape(entry, 32);
    works([&] { EXPECT_EQ(harness_->download(out_), expected); }, upload(a), upload(b),
          harness_->upload(sums_), out_);
  }

  std::vector<float> sums_;
  Buffer<float> out_;
};

TEST_P(WmmaHeader, AddsProductsWithLinesOfEitherKind) {
  prepare();
  if (HasFatalFailure()) return;
  multiplies("multiply_rows", integers(GetParam(), 32, 16), false);
  multiplies("multiply_columns", integers(GetParam(), 16, 32), true);
}

TEST_P(WmmaHeader, MissingBarriersAreFound) {
  prepare();
  if (HasFatalFailure()) return;
  shape("multiply_no_barrier", 32);
  fails({"shared race"}, upload(integers(GetParam(), 16, 32)), upload(integers(GetParam(), 32, 16)),
        harness_->upload(sums_), out_);
}

INSTANTIATE_TEST_SUITE_P(Types, WmmaHeader, testing::Values("bf16", "f16"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace warpwright::emu
