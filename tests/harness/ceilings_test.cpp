#include <gtest/gtest.h>

#include "analysis/sample_rows.h"
#include "harness/calibrate/calibrate.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::RowMaker;

class CeilingsTest : public ::testing::Test {
 protected:
  CeilingsTest() {
    make_.kernel = "harness_tensor";
    make_.problem_json = R"({"ceiling":"tensor_bf16","dtype":"bf16","tiles":1584})";
    make_.problem_text = "ceiling=tensor_bf16 dtype=bf16 tiles=1584";
    make_.work_bytes = 1e8;
    make_.work_flops = 8e11;
    make_.half_width_us = 10;
  }
  static std::vector<CeilingRecord> ceilings(
      const std::vector<Database::TrialRow>& rows,
      const std::vector<Database::RankingRow>& rankings = {}) {
    return ceilings_of(make_leaderboards(rows, rankings).at(0), "2026-03-01T12:00:00Z");
  }
  RowMaker make_;
};

TEST_F(CeilingsTest, TheBestOfABoardIsItsCeilingAndTheBestOfEachVariantItsOwn) {
  const auto found =
      ceilings({make_.ok("mma", "WARPS=8", 1600), make_.ok("mma", "WARPS=16", 2000),
                make_.ok("wgmma", "GROUPS=2", 1000), make_.ok("wgmma", "GROUPS=1", 1250)});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "tensor_bf16");
  EXPECT_DOUBLE_EQ(found[0].value, 800000);
  EXPECT_EQ(found[0].unit, "GFLOP/s");
  EXPECT_DOUBLE_EQ(*found[0].ci_low, 8e11 / 1010 / 1e3);
  EXPECT_DOUBLE_EQ(*found[0].ci_high, 8e11 / 990 / 1e3);
  EXPECT_EQ(found[0].protocol, "cold-events-1");
  EXPECT_EQ(found[0].measured_utc, "2026-03-01T12:00:00Z");
  EXPECT_EQ(found[1].name, "mma_bf16");
  EXPECT_DOUBLE_EQ(found[1].value, 500000);
  EXPECT_EQ(found[2].name, "wgmma_bf16");
  EXPECT_DOUBLE_EQ(found[2].value, 800000);
}

TEST_F(CeilingsTest, MemoryIsCountedInBytes) {
  make_.problem_json = R"({"ceiling":"read","rows":131072})";
  make_.work_bytes = 4.4e9;
  const auto found = ceilings({make_.ok("sum", "", 1000)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "read");
  EXPECT_DOUBLE_EQ(found[0].value, 4400);
  EXPECT_EQ(found[0].unit, "GB/s");
}

TEST_F(CeilingsTest, TheHeadlineOfTheWinnerIsWhatCounts) {
  const std::vector<Database::TrialRow> rows = {make_.ok("wgmma", "GROUPS=2", 1000),
                                                make_.ok("wgmma", "GROUPS=1", 1001)};
  Database::RankingRow ranking = make_.ranking(rows, 990, 2);
  set_text(
      ranking.ranking.headline,
      R"({"cold":{"median_us":1000,"ci_low_us":999,"ci_high_us":1001,"protocol":"cold-graph-1"}})");
  const auto found = ceilings(rows, {ranking});
  EXPECT_DOUBLE_EQ(found.at(0).value, 800000);
  EXPECT_EQ(found.at(0).protocol, "cold-graph-1");
  EXPECT_DOUBLE_EQ(*found.at(0).ci_high, 8e11 / 999 / 1e3);
  // Without a headline, the time of the rounds is used.
  set_text(ranking.ranking.headline, "");
  EXPECT_DOUBLE_EQ(ceilings(rows, {ranking}).at(0).value, 8e11 / 990 / 1e3);
}

TEST_F(CeilingsTest, ABoardThatIsNoneOfOursGivesNothing) {
  make_.problem_json = R"({"rows":8192})";
  EXPECT_TRUE(ceilings({make_.ok("a", "", 100)}).empty());
  make_.problem_json = R"({"ceiling":7})";
  EXPECT_TRUE(ceilings({make_.ok("a", "", 100)}).empty());
  make_.problem_json = "{";
  EXPECT_TRUE(ceilings({make_.ok("a", "", 100)}).empty());
}

TEST_F(CeilingsTest, ATimeOfZeroIsNoCeiling) {
  EXPECT_TRUE(ceilings({make_.ok("wgmma", "", 0)}).empty());
}

TEST_F(CeilingsTest, WhatFailedSaysWhy) {
  const auto none = make_leaderboards(
      {make_.failed("wgmma", "A=1", Status::kWrongResult, "output \"c\"[3]: got 1, expected 2"),
       make_.failed("wgmma", "A=2", Status::kWrongResult, "output \"c\"[4]: got 5, expected 2"),
       make_.failed("mma", "", Status::kCompileFailed, "no such instruction")});
  EXPECT_TRUE(ceilings_of(none.at(0), "").empty());
  EXPECT_EQ(why_none(none.at(0)),
            "wrong_result: output \"…\"[…]: got …, expected … (2 of 3 configurations)");
  EXPECT_EQ(why_none(make_leaderboards({make_.failed("a", "", Status::kNoisy, "")}).at(0)),
            "the device was not steady (1 of 1 configurations noisy)");
}

TEST_F(CeilingsTest, VariantsHaveNamesWhereThereAreTwoWays) {
  EXPECT_EQ(ceiling_by_variant("tensor_e4m3", "wgmma"), "wgmma_e4m3");
  EXPECT_EQ(ceiling_by_variant("read", "sum"), "");
  EXPECT_EQ(ceiling_by_variant("l2_read", "sum"), "");
  EXPECT_EQ(ceiling_by_variant("fma_f32", "turn"), "");
  EXPECT_EQ(ceiling_by_variant("fma_f32", "fma"), "");
}

}  // namespace
}  // namespace warpwright
