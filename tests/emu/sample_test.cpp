// Kernels of public samples, compiled for three architectures, compared with plain C++.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

class Sample : public testing::TestWithParam<std::string> {
 protected:
  Harness harness_{Harness::fixture(GetParam())};
  std::mt19937 random_{7};

  std::vector<float> floats(std::size_t count) {
    std::vector<float> values(count);
    for (float& v : values)
      v = static_cast<float>(static_cast<int>(random_() % 2001) - 1000) / 256.0f;
    return values;
  }
  std::vector<int> integers(std::size_t count) {
    std::vector<int> values(count);
    for (int& v : values) v = static_cast<int>(random_() % 20001) - 10000;
    return values;
  }
  void shape(const std::string& entry, std::array<std::uint32_t, 3> grid,
             std::array<std::uint32_t, 3> block, std::uint32_t shared = 0) {
    harness_.launch.entry = entry;
    harness_.launch.grid = grid;
    harness_.launch.block = block;
    harness_.launch.dynamic_shared_bytes = shared;
  }
};

TEST_P(Sample, BlockReduction) {
  const int n = 10007;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>(i % 97);  // sums stay exact
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<float>(4);
  shape("block_reduction", {4, 1, 1}, {256, 1, 1});
  harness_.run_clean(in, out, n);
  const auto got = harness_.download(out);
  EXPECT_EQ(std::accumulate(got.begin(), got.end(), 0.0f),
            std::accumulate(values.begin(), values.end(), 0.0));
}

TEST_P(Sample, InclusiveScan) {
  const auto values = integers(3 * 200);
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<int>(values.size());
  shape("inclusive_scan", {3, 1, 1}, {200, 1, 1}, 2 * 200 * 4);
  harness_.run_clean(in, out);
  const auto got = harness_.download(out);
  for (std::size_t b = 0; b < 3; ++b) {
    std::vector<int> expected(200);
    std::partial_sum(values.begin() + static_cast<long>(b) * 200,
                     values.begin() + static_cast<long>(b + 1) * 200, expected.begin());
    EXPECT_TRUE(
        std::equal(expected.begin(), expected.end(), got.begin() + static_cast<long>(b) * 200))
        << b;
  }
}

TEST_P(Sample, HistogramWithSharedAtomics) {
  std::vector<std::uint8_t> values(5000);
  for (auto& v : values) v = static_cast<std::uint8_t>(random_() % 40 * (random_() % 7));
  const auto in = harness_.upload(values);
  const auto bins = harness_.zeros<std::uint32_t>(256);
  shape("histogram", {6, 1, 1}, {128, 1, 1});
  harness_.run_clean(in, bins, static_cast<int>(values.size()));
  std::vector<std::uint32_t> expected(256);
  for (const auto v : values) ++expected[v];
  EXPECT_EQ(harness_.download(bins), expected);
}

TEST_P(Sample, TiledTranspose) {
  const int width = 100;
  const int height = 70;
  const auto values = floats(static_cast<std::size_t>(width * height));
  for (const char* entry : {"transpose_padded", "transpose_conflicting"}) {
    const auto in = harness_.upload(values);
    const auto out = harness_.zeros<float>(values.size());
    shape(entry, {4, 3, 1}, {32, 8, 1});
    harness_.run_clean(in, out, width, height);
    const auto got = harness_.download(out);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(got[static_cast<std::size_t>(x * height + y)],
                  values[static_cast<std::size_t>(y * width + x)])
            << entry;
      }
    }
  }
}

TEST_P(Sample, Stencil) {
  const int n = 1000;
  const auto values = floats(n);
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<float>(n);
  shape("stencil", {4, 1, 1}, {256, 1, 1});
  harness_.run_clean(in, out, n);
  const auto got = harness_.download(out);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = -3; k <= 3; ++k) {
      const float v = i + k >= 0 && i + k < n ? values[static_cast<std::size_t>(i + k)] : 0;
      sum = std::fma(v, static_cast<float>(4 - std::abs(k)), sum);
    }
    EXPECT_EQ(got[static_cast<std::size_t>(i)], sum) << i;
  }
}

TEST_P(Sample, BitonicSort) {
  auto values = integers(2 * 512);
  const auto data = harness_.upload(values);
  shape("bitonic_sort", {2, 1, 1}, {512, 1, 1}, 512 * 4);
  harness_.run_clean(data);
  std::sort(values.begin(), values.begin() + 512);
  std::sort(values.begin() + 512, values.end());
  EXPECT_EQ(harness_.download(data), values);
}

TEST_P(Sample, TiledMatmulIsBitwiseTheFmaChain) {
  const int m = 45;
  const int n = 50;
  const int k = 37;
  const auto a = floats(static_cast<std::size_t>(m * k));
  const auto b = floats(static_cast<std::size_t>(k * n));
  const auto da = harness_.upload(a);
  const auto db = harness_.upload(b);
  const auto dc = harness_.zeros<float>(static_cast<std::size_t>(m * n));
  shape("matmul", {4, 3, 1}, {16, 16, 1});
  harness_.run_clean(da, db, dc, m, n, k);
  const auto got = harness_.download(dc);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t)
        sum = std::fma(a[static_cast<std::size_t>(i * k + t)],
                       b[static_cast<std::size_t>(t * n + j)], sum);
      ASSERT_EQ(got[static_cast<std::size_t>(i * n + j)], sum) << i << "," << j;
    }
  }
}

TEST_P(Sample, Softmax) {
  const int n = 777;
  const auto values = floats(3 * n);
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<float>(values.size());
  shape("softmax", {3, 1, 1}, {128, 1, 1});
  harness_.run_clean(in, out, n);
  const auto got = harness_.download(out);
  for (std::size_t row = 0; row < 3; ++row) {
    const float* x = values.data() + row * n;
    const double top = *std::max_element(x, x + n);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::exp(x[i] - top);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = std::exp(x[i] - top) / sum;
      EXPECT_NEAR(got[row * n + i], expected, 2e-6 * expected + 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Sample,
                         testing::Values("samples.ptx", "samples.sm_80.ptx", "samples.sm_120a.ptx"),
                         [](const auto& test) {
                           return std::string(test.param == "samples.ptx"         ? "sm_90a"
                                              : test.param == "samples.sm_80.ptx" ? "sm_80"
                                                                                  : "sm_120a");
                         });

}  // namespace
}  // namespace warpwright::emu
