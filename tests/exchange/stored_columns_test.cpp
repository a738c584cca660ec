// The columns of the committed results can be read into values that write the same bytes.
#include <gtest/gtest.h>

#include "core/files.h"
#include "exchange/gzip.h"
#include "store/database.h"
#include "store/sample_records.h"

namespace warpwright::testing {
namespace {

class StoredColumns : public ::testing::TestWithParam<const char*> {
 protected:
  StoredColumns() : database_(unpacked(), OpenMode::kReadOnly) {}

  template <class T>
  void expect_round_trip(const Stored<T>& column) {
    if (!column.known()) return;
    ++columns_;
    EXPECT_EQ(Stored<T>(*column).text(), column.text());
  }

  TemporaryFolder folder_;
  Database database_;
  std::size_t columns_ = 0;

 private:
  std::filesystem::path unpacked() {
    std::string bytes;
    unpack_gzip(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "results" / "nvidia-h200" /
                    GetParam() / "warpwright.db.gz",
                [&](std::string_view piece) { bytes += piece; });
    write_bytes(folder_.path() / "whole.db", bytes);
    return folder_.path() / "whole.db";
  }
};

TEST_P(StoredColumns, AreTheTextsOfTheirValues) {
  for (const Database::TrialRow& row : database_.trials({.newest_per_key = false})) {
    const TrialRecord& trial = row.trial;
    expect_round_trip(trial.problem);
    expect_round_trip(trial.parameters);
    expect_round_trip(trial.resources);
    expect_round_trip(trial.counters);
    expect_round_trip(trial.errors);
    expect_round_trip(trial.measurement);
    expect_round_trip(trial.options);
    EXPECT_EQ(trial.configuration().to_string(), trial.configuration_text);
  }
  for (const Database::RankingRow& row : database_.rankings({.newest_per_board = false})) {
    expect_round_trip(row.ranking.problem);
    expect_round_trip(row.ranking.headline);
  }
  for (const auto& [id, device] : database_.devices()) expect_round_trip(device.details);
  EXPECT_GT(columns_, 7 * 1000u);
}

INSTANTIATE_TEST_SUITE_P(Committed, StoredColumns,
                         ::testing::Values("fused", "attention", "gated_activation"),
                         [](const auto& made) { return std::string(made.param); });

}  // namespace
}  // namespace warpwright::testing
