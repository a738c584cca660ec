// Matrix products with cp.async, with TMA and wgmma, and a reduction in a cluster, compared with
// FP64 under twenty schedules with all checkers on.
#include <cmath>
#include <numeric>

#include "emu/async/encoded_map.h"
#include "sample_harness.h"

namespace warpwright::emu {
namespace {

// Multiples of 1/8 from -2 to 2 as halves: their sums of products are exact.
struct Halves {
  std::vector<std::uint16_t> bits;
  std::vector<double> values;
};

class Pipeline : public SampleTest {
 protected:
  explicit Pipeline(const std::string& fixture = "pipelines.ptx") : SampleTest(fixture) {}

  Halves halves(std::size_t count) {
    Halves made;
    for (std::size_t i = 0; i < count; ++i) {
      const int eighths = static_cast<int>(random_() % 33) - 16;
      made.values.push_back(eighths / 8.0);
      int exponent = 0;
      const double fraction = std::frexp(std::abs(eighths / 8.0), &exponent);
      const auto magnitude =
          static_cast<unsigned>((exponent + 14) * 1024 + (2 * fraction - 1) * 1024);
      made.bits.push_back(
          static_cast<std::uint16_t>(eighths == 0 ? 0 : magnitude | (eighths < 0 ? 0x8000u : 0u)));
    }
    return made;
  }
  // a[m, k] times b, which is [k, n], or [n, k] when its rows run along k.
  static std::vector<float> product(const Halves& a, const Halves& b, std::size_t m, std::size_t n,
                                    std::size_t k, bool rows_along_k) {
    std::vector<float> c(m * n);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t t = 0; t < k; ++t)
          sum += a.values[i * k + t] * b.values[rows_along_k ? j * k + t : t * n + j];
        c[i * n + j] = static_cast<float>(sum);
      }
    }
    return c;
  }
  static std::array<std::byte, kTensorMapBytes> tiles_of(const Buffer<std::uint16_t>& matrix,
                                                         std::size_t rows, std::size_t k) {
    TensorMap map;
    map.rank = 2;
    map.element = TensorElement::kF16;
    map.swizzle = TensorSwizzle::k128;
    map.address = matrix.address;
    map.sizes = {k, rows};
    map.strides = {2 * k};
    map.box = {64, 64};
    map.element_strides = {1, 1};
    return to_bytes(map);
  }
};

TEST_F(Pipeline, DoubleBufferedMma) {
  const std::size_t m = 64, n = 128, k = 96;
  const Halves a = halves(m * k);
  const Halves b = halves(k * n);
  const auto da = harness_.upload(a.bits);
  const auto db = harness_.upload(b.bits);
  const auto dc = harness_.zeros<float>(m * n);
  const auto expected = product(a, b, m, n, k, false);
  shape("gemm_mma", {2, 1, 1}, {128, 1, 1});
  under_schedules_from_scratch([&] { EXPECT_EQ(harness_.download(dc), expected); }, da, db, dc,
                               static_cast<int>(n), static_cast<int>(k));
}

class WgmmaPipeline : public Pipeline {
 protected:
  WgmmaPipeline() : Pipeline("wgmma_pipeline.ptx") {}
};

TEST_F(WgmmaPipeline, ProducerAndConsumersWithTma) {
  const std::size_t m = 128, n = 64, k = 320;  // five rounds: every stage is used again
  const Halves a = halves(m * k);
  const Halves b = halves(n * k);
  const auto da = harness_.upload(a.bits);
  const auto db = harness_.upload(b.bits);
  const auto dc = harness_.zeros<float>(m * n);
  const auto expected = product(a, b, m, n, k, true);
  struct alignas(64) Map {
    std::array<std::byte, kTensorMapBytes> bytes;
  };
  const std::pair<const char*, unsigned> kernels[] = {
      {"gemm_wgmma_2", 2}, {"gemm_wgmma_4", 4}, {"gemm_wgmma_by_one", 2}};
  for (const auto& [entry, stages] : kernels) {
    SCOPED_TRACE(entry);
    shape(entry, {1, 2, 1}, {160, 1, 1}, 1024 + stages * 2 * 64 * 128);
    under_schedules_from_scratch([&] { EXPECT_EQ(harness_.download(dc), expected); },
                                 Map{tiles_of(da, m, k)}, Map{tiles_of(db, n, k)}, dc,
                                 static_cast<int>(n), static_cast<int>(k));
  }
}

TEST_F(Pipeline, ClusterReductionThroughDistributedSharedMemory) {
  const int n = 5000;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i % 83);
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<float>(2);
  shape("cluster_reduction", {8, 1, 1}, {128, 1, 1});
  harness_.launch.cluster = {4, 1, 1};
  under_schedules_from_scratch(
      [&] {
        const auto got = harness_.download(out);
        EXPECT_EQ(got[0] + got[1], std::accumulate(values.begin(), values.end(), 0.0));
      },
      in, out, n);
}

}  // namespace
}  // namespace warpwright::emu
