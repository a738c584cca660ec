// kernels/common: norm_row.cuh and irope.cuh against the same in double precision.
#include "header_harness.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kBlockThreads = 64, kGroupLanes = 8;

class NormRowHeader : public HeaderTest {
 protected:
  struct Exact {
    double mean = 0, squares = 0;
  };

  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("norm_row.cu");
  }

  std::vector<float> normal_row(std::size_t d, float mean, float deviation) {
    std::normal_distribution<float> normal(mean, deviation);
    std::vector<float> row(d);
    for (float& value : row) value = normal(random_);
    return row;
  }
  static Exact exact(const float* row, std::size_t d) {
    Exact found;
    for (std::size_t i = 0; i < d; ++i) found.mean += row[i] / static_cast<double>(d);
    for (std::size_t i = 0; i < d; ++i)
      found.squares += (row[i] - found.mean) * (row[i] - found.mean);
    return found;
  }
  // Checks the results for a row of d elements. Distances from the pivot, which is at most sqrt(d)
  // deviations off, are rounded by 2^-24 of their value; sums of d such by a little more.
  static void expect_moments(const float* results, const Exact& right, std::size_t d) {
    const double deviation = std::sqrt(right.squares / static_cast<double>(d));
    EXPECT_NEAR(static_cast<double>(results[0]) + results[1], right.mean, 4e-6 * deviation);
    EXPECT_NEAR(results[2], right.squares, 1e-5 * right.squares);
  }

  void block_has_moments_of(const std::vector<float>& row) {
    const std::size_t d = row.size();
    const Exact right = exact(row.data(), d);
    const auto out = harness_->zeros<float>(4 * kBlockThreads);
    shape("block_moments", kBlockThreads);
    works(
        [&] {
          const std::vector<float> results = harness_->download(out);
          for (std::size_t thread = 0; thread < kBlockThreads; ++thread) {
            expect_moments(&results[4 * thread], right, d);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(results[4 * thread + i], results[i]);
          }
          EXPECT_EQ(results[3] + results[4 * 32 + 3], static_cast<float>(d));
        },
        harness_->upload(row), out, static_cast<int>(d), 1 / static_cast<float>(d));
  }
};

TEST_F(NormRowHeader, RowsOfManyLengthsHaveTheirMoments) {
  for (const std::size_t d : {4u, 8u, 124u, 128u, 132u, 256u, 388u, 512u}) {
    SCOPED_TRACE(d);
    block_has_moments_of(normal_row(d, 0.5f, 2));
  }
}

TEST_F(NormRowHeader, AMeanFarFromZeroCancelsNothing) {
  block_has_moments_of(normal_row(512, 1e4f, 1));
  block_has_moments_of(normal_row(300, -1e4f, 1));
}

TEST_F(NormRowHeader, OutliersWhereThePivotIsTakenLeaveDigits) {
  for (const std::size_t outliers : {1u, 4u, 8u}) {
    SCOPED_TRACE(outliers);
    std::vector<float> row = normal_row(512, 0, 1);
    for (std::size_t i = 0; i < outliers; ++i) row[i] = 3e5f;
    block_has_moments_of(row);
  }
}

TEST_F(NormRowHeader, EqualElementsHaveNoDeviation) {
  const auto out = harness_->zeros<float>(4 * kBlockThreads);
  shape("block_moments", kBlockThreads);
  works(
      [&] {
        const std::vector<float> results = harness_->download(out);
        EXPECT_NEAR(static_cast<double>(results[0]) + results[1], 12345.678f, 1e-9 * 12345);
        EXPECT_NEAR(results[2], 0, 1e-9);
      },
      harness_->upload(std::vector<float>(256, 12345.678f)), out, 256, 1.0f / 256);
}

TEST_F(NormRowHeader, GroupsOfAWarpHaveRowsOfTheirOwn) {
  constexpr std::size_t kRows = 4, kD = 60;  // the last access of a row is for some lanes only
  std::vector<float> rows;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::vector<float> one = normal_row(kD, 1000 * static_cast<float>(row), 1);
    rows.insert(rows.end(), one.begin(), one.end());
  }
  const auto out = harness_->zeros<float>(4 * 32);
  shape("group_moments", 32);
  works(
      [&] {
        const std::vector<float> results = harness_->download(out);
        for (std::size_t lane = 0; lane < 32; ++lane) {
          expect_moments(&results[4 * lane], exact(&rows[lane / kGroupLanes * kD], kD), kD);
          EXPECT_EQ(results[4 * lane + 3], kD);
        }
      },
      harness_->upload(rows), out, static_cast<int>(kD));
}

TEST_F(NormRowHeader, WarpsThatDoNotWaitForOthersAreFound) {
  const auto out = harness_->zeros<float>(4 * kBlockThreads);
  shape("block_moments_no_barrier", kBlockThreads);
  fails({"shared race", "uninitialised shared memory"}, harness_->upload(normal_row(512, 0, 1)),
        out, 512, 1.0f / 512);
}

TEST_F(NormRowHeader, FactorsStepWhereTheQuotientDoes) {
  std::vector<int> positions;
  for (const float scale : {8192.0f, 100.0f, 3.0f, 7.0f}) {
    positions.clear();
    for (int step = 0; step < 8; ++step) {
      // Small steps and the largest that there are.
      const int at =
          static_cast<int>(scale) * (step < 4 ? step : static_cast<int>(16777215 / scale) - step);
      positions.insert(positions.end(), {std::max(at - 2, 0), std::max(at - 1, 0), at, at + 1});
    }
    const auto out = harness_->zeros<float>(positions.size());
    shape("factors", static_cast<std::uint32_t>(positions.size()));
    works(
        [&] {
          const std::vector<float> factors = harness_->download(out);
          for (std::size_t i = 0; i < positions.size(); ++i) {
            SCOPED_TRACE(positions[i]);
            const double steps = std::floor((positions[i] + 1.0) / double{scale});
            const double right = std::log1p(steps) * 0.1 + 1;
            // A step is 1e-8 apart from the next where there are most, which no f32 tells: there
            // the neighbour would do.
            EXPECT_NEAR(factors[i], right, 3e-7 * right);
            if (steps == 0) {
              EXPECT_EQ(factors[i], 1);
            }
          }
        },
        harness_->upload(positions), out, scale, 0.1f);
  }
}

}  // namespace
}  // namespace warpwright::emu
