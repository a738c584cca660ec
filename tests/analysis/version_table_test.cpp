#include "analysis/compare/version_table.h"

#include <gmock/gmock.h>

#include "analysis/sample_rows.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<NamedVersion> kTileVersions = {
    {"V0", {{"TILE", 32}}}, {"V1", {{"TILE", 64}}}, {"wide", {{"TILE", 128}}}};

class VersionTables : public ::testing::Test {
 protected:
  Database::TrialRow tile(const std::string& variant, int size, double us) {
    Database::TrialRow row =
        us > 0 ? make_.ok(variant, "TILE=" + std::to_string(size), us)
               : make_.failed(variant, "TILE=" + std::to_string(size), Status::kPruned, "slower");
    row.trial.variant = variant;
    row.trial.parameters = ParameterValues{{"TILE", size}};
    return row;
  }
  VersionTable only(const std::vector<Database::TrialRow>& own,
                    const std::vector<Database::TrialRow>& all) {
    const std::vector<VersionTable> tables = make_version_tables(
        "x.yaml", kTileVersions, make_leaderboards(own), make_leaderboards(all));
    EXPECT_EQ(tables.size(), 1u);
    return tables.empty() ? VersionTable{} : tables.front();
  }
  RowMaker make_;
};

TEST_F(VersionTables, VersionsThenTheBestOfTheirVariantsAndOfAll) {
  const std::vector<Database::TrialRow> own = {tile("mma", 32, 300), tile("mma", 64, 200)};
  std::vector<Database::TrialRow> all = own;
  all.push_back(tile("mma", 256, 100));
  all.push_back(tile("other", 512, 50));
  const VersionTable table = only(own, all);
  ASSERT_EQ(table.versions.size(), 3u);
  EXPECT_EQ(table.versions[0].name, "V0");
  EXPECT_EQ(table.versions[0].cells[0].time->median_us, 300);
  EXPECT_FALSE(table.versions[0].cells[0].time->tied_with_best);
  EXPECT_TRUE(table.versions[1].cells[0].time->tied_with_best);
  EXPECT_EQ(table.versions[2].cells[0].time, std::nullopt);
  EXPECT_EQ(table.versions[2].cells[0].status, "");
  EXPECT_THAT(table.variants, ElementsAre("mma"));
  EXPECT_EQ(table.best_of_variants.cells[0].time->configuration_text, "mma TILE=256");
  EXPECT_EQ(table.best_of_all.cells[0].time->configuration_text, "other TILE=512");
  EXPECT_DOUBLE_EQ(*table.gain[0], 4.0);
}

TEST_F(VersionTables, WhatWasKnownBeforeIsShownWithoutItsTies) {
  const std::vector<Database::TrialRow> own = {tile("mma", 32, 300)};
  std::vector<Database::TrialRow> all = own;
  all.push_back(tile("mma", 64, 200));
  const VersionTable table = only(own, all);
  EXPECT_EQ(table.versions[1].cells[0].time->median_us, 200);
  EXPECT_FALSE(table.versions[1].cells[0].time->tied_with_best);
}

TEST_F(VersionTables, AVersionThatWasStoppedSaysSo) {
  const std::vector<Database::TrialRow> own = {tile("mma", 32, 300), tile("mma", 64, 0)};
  const VersionTable table = only(own, own);
  EXPECT_EQ(table.versions[1].cells[0].status, "pruned");
}

TEST_F(VersionTables, ProblemsFollowTheirSizes) {
  std::vector<Database::TrialRow> rows;
  for (const int n : {1024, 64, 512}) {
    make_.problem_text = "n=" + std::to_string(n);
    make_.problem_json = R"({"n":)" + std::to_string(n) + "}";
    rows.push_back(tile("mma", 32, n));
  }
  EXPECT_THAT(only(rows, rows).problem_texts, ElementsAre("n=64", "n=512", "n=1024"));
}

TEST_F(VersionTables, RatesAndTheOrderOfVersionsOnEachProblem) {
  make_.work_flops = 6e9;
  const std::vector<Database::TrialRow> own = {tile("mma", 32, 300), tile("mma", 64, 0),
                                               tile("mma", 128, 200)};
  const VersionTable table = only(own, own);
  EXPECT_DOUBLE_EQ(*table.versions[0].cells[0].time->gigaflops_per_second, 20000);
  ASSERT_EQ(table.order.size(), 1u);
  EXPECT_THAT(table.order[0], ElementsAre("wide", "V0"));
}

TEST_F(VersionTables, EachDeviceHasATable) {
  std::vector<Database::TrialRow> rows = {tile("mma", 32, 300)};
  make_.device_id = "cuda:1";
  rows.push_back(tile("mma", 32, 310));
  const std::vector<Leaderboard> boards = make_leaderboards(rows);
  EXPECT_EQ(make_version_tables("x.yaml", kTileVersions, boards, boards).size(), 2u);
}

TEST_F(VersionTables, BoardsWithoutAVersionAreLeftOut) {
  const std::vector<Leaderboard> boards = make_leaderboards({tile("mma", 512, 300)});
  EXPECT_THAT(make_version_tables("x.yaml", kTileVersions, boards, boards), IsEmpty());
}

}  // namespace
}  // namespace warpwright::testing
