// kernels/common: online_softmax.cuh against softmax in double precision.
#include "header_harness.h"

namespace warpwright::emu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::size_t kRows = 8;

struct Row {
  double mean = 0;  // of the values, weighted by the softmax
  double maximum = -kInf;
  double size = 0;  // of what is added up: errors are relative to it
};

struct Result {
  float mean, maximum, largest, rescalings;
};

class OnlineSoftmaxHeader : public HeaderTest {
 protected:
  // 2^(score * scale) are the weights; not a power of two, so that products are rounded.
  static constexpr float kScale = 0.3f;

  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("online_softmax.cu");
  }

  // Scores by row and column, and values from 1 to 2 by column.
  template <class Score>
  void fill(std::size_t columns, Score score) {
    columns_ = columns;
    scores_.clear();
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t column = 0; column < columns; ++column)
        scores_.push_back(score(static_cast<int>(row), static_cast<int>(column)));
    }
    values_.resize(columns);
    for (float& value : values_) value = 1 + static_cast<float>(random_() % 1024) / 1024;
  }
  [[nodiscard]] Row expected(std::size_t row) const { return expected(row, columns_); }
  // The same for the first columns of the row only.
  [[nodiscard]] Row expected(std::size_t row, std::size_t columns) const {
    const float* const scores = &scores_[row * columns_];
    Row found;
    for (std::size_t i = 0; i < columns; ++i)
      found.maximum = std::max<double>(found.maximum, scores[i]);
    double sum = 0;
    if (found.maximum == -kInf) return found;
    for (std::size_t i = 0; i < columns; ++i) {
      const double weight = std::exp2((scores[i] - found.maximum) * double{kScale});
      sum += weight;
      found.mean += weight * values_[i];
      found.size += weight * std::abs(values_[i]);
    }
    found.mean /= sum;
    found.size /= sum;
    return found;
  }
  [[nodiscard]] static std::vector<Result> results(const std::vector<float>& out) {
    std::vector<Result> rows;
    for (std::size_t i = 0; i < out.size(); i += 4)
      rows.push_back({out[i], out[i + 1], out[i + 2], out[i + 3]});
    return rows;
  }

  // Means of all rows are right; `check` sees all results.
  template <class Check>
  void attends(const std::string& entry, Check check) {
    SCOPED_TRACE(entry);
    const auto out = harness_->zeros<float>(4 * kRows);
    shape(entry, 32);
    works(
        [&] {
          const std::vector<Result> rows = results(harness_->download(out));
          for (std::size_t row = 0; row < kRows; ++row) {
            SCOPED_TRACE("row " + std::to_string(row));
            const Row right = expected(row);
            // Exponents of up to 2^8 are rounded by 2^-17, which changes a weight by less than
            // that, twice between two tiles. All other rounding is smaller.
            EXPECT_NEAR(rows[row].mean, right.mean, std::ldexp(right.size, -16));
            check(rows[row], right);
          }
        },
        harness_->upload(scores_), harness_->upload(values_), out, static_cast<int>(columns_),
        kScale);
  }

  std::size_t columns_ = 0;
  std::vector<float> scores_, values_;
};

TEST_F(OnlineSoftmaxHeader, RandomScoresInAnyOrder) {
  std::normal_distribution<float> normal(0, 10);
  fill(64, [&](int, int) { return normal(random_); });
  attends("attend_slack_0", [](const Result& row, const Row& right) {
    EXPECT_EQ(row.maximum, static_cast<float>(right.maximum));
    EXPECT_EQ(row.largest, 1);
  });
  attends("attend_slack_8", [](const Result& row, const Row& right) {
    EXPECT_LE(row.maximum, static_cast<float>(right.maximum));
    EXPECT_LE(row.largest, 256);
  });
}

TEST_F(OnlineSoftmaxHeader, MaximaThatRiseInEveryTileRescaleEveryTime) {
  fill(64, [](int row, int column) { return static_cast<float>(column * (row + 1)); });
  // The first factor is 2^-inf, of sums that are 0.
  attends("attend_slack_0", [](const Result& row, const Row&) { EXPECT_EQ(row.rescalings, 8); });
}

TEST_F(OnlineSoftmaxHeader, SlackLeavesSmallRisesAlone) {
  // From tile to tile scores rise by a little more than row + 1 powers of two.
  const auto score = [](int row, int tile) {
    return static_cast<float>(tile * (row + 1)) * 1.03f / kScale;
  };
  fill(64, [&](int row, int column) { return score(row, column / 8); });
  std::size_t next = 0;
  attends("attend_slack_8", [&](const Result& result, const Row&) {
    const int row = static_cast<int>(next++ % kRows);
    float maximum = score(row, 0);
    int rescalings = 1;  // the first tile's
    for (int tile = 1; tile < 8; ++tile) {
      if ((score(row, tile) - maximum) * kScale <= 8) continue;
      maximum = score(row, tile);
      ++rescalings;
    }
    EXPECT_EQ(result.rescalings, static_cast<float>(rescalings));
    EXPECT_EQ(result.maximum, maximum);
    EXPECT_LE(result.largest, 256);
  });
}

TEST_F(OnlineSoftmaxHeader, FallingMaximaAreTakenOnce) {
  fill(64, [](int row, int column) { return static_cast<float>(-column * (row + 1)); });
  for (const char* entry : {"attend_slack_0", "attend_slack_8"})
    attends(entry, [](const Result& row, const Row&) { EXPECT_EQ(row.rescalings, 1); });
}

TEST_F(OnlineSoftmaxHeader, MaskedScoresHaveNoMassWhereverTheyAre) {
  // Row 0 sees nothing, each other row sees only its first columns, or all but these: masked tiles
  // come first or last.
  std::normal_distribution<float> normal(0, 3);
  fill(32, [&](int row, int column) {
    const bool seen = row < 4 ? column < 5 * row : column >= 7 * (row - 3);
    return seen ? normal(random_) : -kInf;
  });
  for (const char* entry : {"attend_slack_0", "attend_slack_8"}) {
    attends(entry, [](const Result& row, const Row& right) {
      EXPECT_EQ(row.maximum == -kInf, right.maximum == -kInf);
      if (right.maximum == -kInf) {
        EXPECT_EQ(row.mean, 0);
        EXPECT_EQ(row.largest, 0);
        EXPECT_EQ(row.rescalings, 0);
      }
    });
  }
}

TEST_F(OnlineSoftmaxHeader, FragmentsOfTwoRowsAreMaskedEachByItsOwnColumns) {
  std::normal_distribution<float> normal(0, 10);
  fill(72, [&](int, int) { return normal(random_); });
  const auto out = harness_->zeros<float>(2 * kRows);
  shape("attend_fragments", 32);
  for (const int visible : {0, 1, 31, 32, 45, 64, 72}) {
    SCOPED_TRACE(visible);
    works(
        [&] {
          const std::vector<float> means = harness_->download(out);
          for (std::size_t row = 0; row < kRows; ++row) {
            SCOPED_TRACE("row " + std::to_string(row));
            const Row whole = expected(row),
                      part = expected(row, static_cast<std::size_t>(visible));
            EXPECT_NEAR(means[row], whole.mean, std::ldexp(whole.size, -16));
            EXPECT_NEAR(means[kRows + row], part.mean, std::ldexp(part.size, -16));
          }
        },
        harness_->upload(scores_), harness_->upload(values_), out, static_cast<int>(columns_),
        kScale, visible);
  }
}

TEST_F(OnlineSoftmaxHeader, ANanMakesItsRowNanAndNoOther) {
  fill(32, [](int row, int column) {
    return row == 3 && column == 13 ? std::nanf("") : static_cast<float>(column % 5);
  });
  const auto out = harness_->zeros<float>(4 * kRows);
  for (const char* entry : {"attend_slack_0", "attend_slack_8"}) {
    shape(entry, 32);
    works(
        [&] {
          const std::vector<Result> rows = results(harness_->download(out));
          for (std::size_t row = 0; row < kRows; ++row)
            EXPECT_EQ(std::isnan(rows[row].mean), row == 3) << row;
        },
        harness_->upload(scores_), harness_->upload(values_), out, static_cast<int>(columns_),
        kScale);
  }
}

TEST_F(OnlineSoftmaxHeader, PairsAreRoundedToNearestEvenAndTheFirstIsLow) {
  struct Number {
    float value;
    std::uint32_t bf16, f16;
  };
  const std::vector<Number> numbers{
      {1.0f, 0x3f80, 0x3c00},
      {-2.0f, 0xc000, 0xc000},
      {1.0f + 0x1p-8f, 0x3f80, 0x3c04},   // a tie of bf16 goes to the even one below
      {1.0f + 0x3p-8f, 0x3f82, 0x3c0c},   // and to the one above
      {1.0f + 0x1p-11f, 0x3f80, 0x3c00},  // a tie of f16
      {1.0f + 0x3p-11f, 0x3f80, 0x3c02},
      {65520.0f, 0x4780, 0x7c00},
      {0.0f, 0, 0},
      {-kInf, 0xff80, 0xfc00},
      {0x1p-25f, 0x3300, 0}};
  std::vector<float> in;
  Words as_bf16, as_f16;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    in.insert(in.end(), {numbers[i].value, numbers[i + 1].value});
    as_bf16.push_back(numbers[i].bf16 | numbers[i + 1].bf16 << 16);
    as_f16.push_back(numbers[i].f16 | numbers[i + 1].f16 << 16);
  }
  const auto first = harness_->zeros<std::uint32_t>(as_bf16.size());
  const auto second = harness_->zeros<std::uint32_t>(as_f16.size());
  shape("pack", static_cast<std::uint32_t>(as_f16.size()));
  works(
      [&] {
        EXPECT_EQ(harness_->download(first), as_bf16);
        EXPECT_EQ(harness_->download(second), as_f16);
      },
      harness_->upload(in), first, second);
}

TEST_F(OnlineSoftmaxHeader, MisusesShow) {
  fill(64, [](int row, int column) { return static_cast<float>(column * (row + 1)); });
  const auto scores = harness_->upload(scores_), values = harness_->upload(values_);
  const auto out = harness_->zeros<float>(4 * kRows);
  shape("attend_no_rescaling", 32);
  works(
      [&] {
        const std::vector<Result> rows = results(harness_->download(out));
        for (std::size_t row = 0; row < kRows; ++row)
          EXPECT_GT(rows[row].mean, expected(row).mean + 0.01) << row;
      },
      scores, values, out, static_cast<int>(columns_), kScale);
  shape("attend_part_of_a_quad", 32);
  fails({"deadlock"}, scores, values, out, static_cast<int>(columns_), kScale);
}

}  // namespace
}  // namespace warpwright::emu
