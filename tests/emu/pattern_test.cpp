// More patterns of public samples, against plain C++ in double precision, under twenty schedules
// with all checkers on.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sample_harness.h"

namespace warpwright::emu {
namespace {

class Pattern : public SampleTest {
 protected:
  Pattern() : SampleTest("patterns.ptx") {}

  template <class T>
  void fill(const Buffer<T>& buffer, const std::vector<T>& values) {
    std::memcpy(harness_.memory->host_view(buffer.address, values.size() * sizeof(T)),
                values.data(), values.size() * sizeof(T));
  }
};

// Expects every element within `relative` of the reference, with an absolute floor for results of
// cancellation.
void expect_close(const std::vector<float>& got, const std::vector<double>& expected,
                  double relative, double floor) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i], relative * std::abs(expected[i]) + floor) << i;
}

TEST_F(Pattern, LastBlockReduction) {
  const int n = 3000;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i % 91);
  const double expected = std::accumulate(values.begin(), values.end(), 0.0);
  const auto in = harness_.upload(values);
  const auto partial = harness_.zeros<float>(9);
  const auto ticket = harness_.zeros<std::uint32_t>(1);
  const auto out = harness_.zeros<float>(1);
  shape("last_block_reduction", {9, 1, 1}, {96, 1, 1});
  // The kernel resets the ticket for the next launch.
  under_schedules_from_scratch([&] { EXPECT_EQ(harness_.download(out)[0], expected); }, in, partial,
                               ticket, out, n);
}

TEST_F(Pattern, WarpRowStatistics) {
  const int columns = 75;
  const auto values = integers(8 * 75);
  const auto in = harness_.upload(values);
  const auto sum = harness_.zeros<int>(8);
  const auto least = harness_.zeros<int>(8);
  const auto most = harness_.zeros<int>(8);
  shape("warp_row_statistics", {2, 1, 1}, {128, 1, 1});
  under_schedules_from_scratch(
      [&] {
        for (std::size_t row = 0; row < 8; ++row) {
          const auto first = values.begin() + static_cast<long>(row) * columns;
          EXPECT_EQ(harness_.download(sum)[row], std::accumulate(first, first + columns, 0));
          EXPECT_EQ(harness_.download(least)[row], *std::min_element(first, first + columns));
          EXPECT_EQ(harness_.download(most)[row], *std::max_element(first, first + columns));
        }
      },
      in, sum, least, most, columns);
}

TEST_F(Pattern, LookbackScan) {
  const int n = 1100;
  const auto values = integers(n);
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<int>(n);
  const auto next = harness_.zeros<std::uint32_t>(1);
  const auto state = harness_.zeros<std::uint32_t>(9);
  const auto own = harness_.zeros<int>(9);
  const auto inclusive = harness_.zeros<int>(9);
  struct Lookback {
    std::uint64_t state, own, inclusive;
  };
  std::vector<int> expected(n);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  shape("lookback_scan", {9, 1, 1}, {128, 1, 1});
  under_schedules(
      [&] {
        fill(next, {0u});
        fill(state, std::vector<std::uint32_t>(9));
      },
      [&] { EXPECT_EQ(harness_.download(out), expected); }, in, out, next,
      Lookback{state.address, own.address, inclusive.address}, n);
}

TEST_F(Pattern, GlobalHistogram) {
  std::vector<std::uint8_t> values(1500);
  for (auto& v : values) v = static_cast<std::uint8_t>(random_() % 30 * (random_() % 9));
  std::vector<std::uint32_t> expected(256);
  for (const auto v : values) ++expected[v];
  const auto in = harness_.upload(values);
  const auto bins = harness_.zeros<std::uint32_t>(256);
  shape("histogram_global", {4, 1, 1}, {96, 1, 1});
  under_schedules([&] { fill(bins, std::vector<std::uint32_t>(256)); },
                  [&] { EXPECT_EQ(harness_.download(bins), expected); }, in, bins,
                  static_cast<int>(values.size()));
}

TEST_F(Pattern, CompactionKeepsWhatIsPositive) {
  const int n = 900;
  const auto values = integers(n);
  std::vector<int> expected;
  for (const int v : values) {
    if (v > 0) expected.push_back(v);
  }
  std::sort(expected.begin(), expected.end());
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<int>(n);
  const auto count = harness_.zeros<std::uint32_t>(1);
  shape("compact_positive", {8, 1, 1}, {128, 1, 1});
  under_schedules([&] { fill(count, {0u}); },
                  [&] {
                    ASSERT_EQ(harness_.download(count)[0], expected.size());
                    auto got = harness_.download(out);
                    got.resize(expected.size());
                    std::sort(got.begin(), got.end());
                    EXPECT_EQ(got, expected);
                  },
                  in, out, count, n);
}

TEST_F(Pattern, Stencil3d) {
  const int nx = 40, ny = 11, nz = 4;
  const auto values = floats(static_cast<std::size_t>(nx * ny * nz));
  const auto at = [&](int x, int y, int z) {
    const bool inside = x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
    return inside ? static_cast<double>(values[static_cast<std::size_t>((z * ny + y) * nx + x)])
                  : 0.0;
  };
  std::vector<double> expected;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        expected.push_back(0.5 * at(x, y, z) +
                           (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                            at(x, y, z - 1) + at(x, y, z + 1)) /
                               12.0);
      }
    }
  }
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<float>(values.size());
  shape("stencil_3d", {2, 2, 1}, {32, 8, 1});
  under_schedules_from_scratch([&] { expect_close(harness_.download(out), expected, 1e-6, 1e-5); },
                               in, out, nx, ny, nz);
}

TEST_F(Pattern, SparseRowsTimesVector) {
  const std::size_t rows = 150;
  std::vector<int> starts{0};
  std::vector<int> columns;
  for (std::size_t row = 0; row < rows; ++row) {
    for (unsigned i = random_() % 50; i > 0; --i)
      columns.push_back(static_cast<int>(random_() % 200));
    starts.push_back(static_cast<int>(columns.size()));
  }
  const auto values = floats(columns.size());
  const auto x = floats(200);
  std::vector<double> expected(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (auto i = static_cast<std::size_t>(starts[row]);
         i < static_cast<std::size_t>(starts[row + 1]); ++i)
      expected[row] += static_cast<double>(values[i]) * x[static_cast<std::size_t>(columns[i])];
  }
  const auto d_starts = harness_.upload(starts);
  const auto d_columns = harness_.upload(columns);
  const auto d_values = harness_.upload(values);
  const auto d_x = harness_.upload(x);
  const auto y = harness_.zeros<float>(rows);
  for (const char* entry : {"csr_scalar", "csr_vector"}) {
    const bool warp_per_row = std::string(entry) == "csr_vector";
    shape(entry, {warp_per_row ? 38u : 2u, 1, 1}, {128, 1, 1});
    fill(y, std::vector<float>(rows, -1));
    under_schedules_from_scratch([&] { expect_close(harness_.download(y), expected, 1e-6, 1e-4); },
                                 d_starts, d_columns, d_values, d_x, y, static_cast<int>(rows));
  }
}

TEST_F(Pattern, OddEvenMergeSortMovesValuesAlong) {
  const auto keys = integers(2 * 256, 500);  // includes duplicates
  std::vector<int> values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  const auto d_keys = harness_.upload(keys);
  const auto d_values = harness_.upload(values);
  auto expected = keys;
  std::sort(expected.begin(), expected.begin() + 256);
  std::sort(expected.begin() + 256, expected.end());
  shape("odd_even_merge_sort", {2, 1, 1}, {128, 1, 1});
  under_schedules(
      [&] {
        fill(d_keys, keys);
        fill(d_values, values);
      },
      [&] {
        EXPECT_EQ(harness_.download(d_keys), expected);
        auto places = harness_.download(d_values);
        for (std::size_t i = 0; i < places.size(); ++i)
          ASSERT_EQ(keys[static_cast<std::size_t>(places[i])], expected[i]) << i;
        std::sort(places.begin(), places.end());
        EXPECT_EQ(places, values);  // each once
      },
      d_keys, d_values);
}

TEST_F(Pattern, RegisterTiledSgemm) {
  const int m = 64, n = 128, k = 24;
  const auto a = floats(static_cast<std::size_t>(m * k));
  const auto b = floats(static_cast<std::size_t>(k * n));
  std::vector<double> expected;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int t = 0; t < k; ++t)
        sum += static_cast<double>(a[static_cast<std::size_t>(i * k + t)]) *
               b[static_cast<std::size_t>(t * n + j)];
      expected.push_back(sum);
    }
  }
  const auto da = harness_.upload(a);
  const auto db = harness_.upload(b);
  const auto dc = harness_.zeros<float>(expected.size());
  shape("sgemm", {2, 1, 1}, {256, 1, 1});
  under_schedules_from_scratch([&] { expect_close(harness_.download(dc), expected, 1e-6, 1e-4); },
                               da, db, dc, n, k);
}

TEST_F(Pattern, OnlineSoftmax) {
  const int columns = 300;
  const auto values = floats(8 * 300);
  std::vector<double> expected;
  for (std::size_t row = 0; row < 8; ++row) {
    const auto first = values.begin() + static_cast<long>(row) * columns;
    const double top = *std::max_element(first, first + columns);
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(first[i] - top);
    for (int i = 0; i < columns; ++i) expected.push_back(std::exp(first[i] - top) / sum);
  }
  const auto in = harness_.upload(values);
  const auto out = harness_.zeros<float>(values.size());
  shape("online_softmax", {2, 1, 1}, {128, 1, 1});
  under_schedules_from_scratch([&] { expect_close(harness_.download(out), expected, 4e-6, 1e-12); },
                               in, out, columns);
}

TEST_F(Pattern, NBody) {
  const std::size_t n = 150;
  auto bodies = floats(4 * n);
  for (std::size_t i = 0; i < n; ++i) bodies[4 * i + 3] = std::abs(bodies[4 * i + 3]);  // mass
  const float softening = 0.01f;
  std::vector<double> expected;
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 3> sum{};
    for (std::size_t j = 0; j < n; ++j) {
      std::array<double, 3> d{};
      double square = softening;
      for (std::size_t c = 0; c < 3; ++c) {
        d[c] = static_cast<double>(bodies[4 * j + c]) - bodies[4 * i + c];
        square += d[c] * d[c];
      }
      for (std::size_t c = 0; c < 3; ++c)
        sum[c] += bodies[4 * j + 3] * d[c] / (square * std::sqrt(square));
    }
    expected.insert(expected.end(), sum.begin(), sum.end());
  }
  const auto in = harness_.upload(bodies);
  const auto out = harness_.zeros<float>(3 * n);
  shape("n_body", {3, 1, 1}, {64, 1, 1});
  under_schedules_from_scratch([&] { expect_close(harness_.download(out), expected, 1e-5, 1e-3); },
                               in, out, static_cast<int>(n), softening);
}

}  // namespace
}  // namespace warpwright::emu
