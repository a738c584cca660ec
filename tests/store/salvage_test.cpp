#include "store/salvage.h"

#include <gtest/gtest.h>

#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::DatabaseTest;
using testing::message_of;
using testing::write_bytes;

class SalvageTest : public DatabaseTest {
 protected:
  // Makes enough trials for tables of many pages.
  void make_large_database() const {
    Database database = open();
    put_basics(database);
    database.batch([&] {
      for (int i = 1; i <= kTrials; ++i) {
        TrialRecord trial = testing::sample_trial();
        trial.key = "key-" + std::to_string(i);
        testing::set_text(trial.parameters, "{\"THREADS\":" + std::to_string(i) + "}");
        trial.configuration_text = "threshold THREADS=" + std::to_string(i);
        database.add_trial(trial);
      }
    });
  }
  [[nodiscard]] Salvaged salvage() const { return salvage_database(path_, fresh_); }

  static constexpr int kTrials = 300;
  fs::path fresh_ = folder_.path() / "fresh.db";
};

TEST_F(SalvageTest, AWholeDatabaseIsSavedWhole) {
  make_large_database();
  const Salvaged saved = salvage();
  EXPECT_EQ(saved.trials, 300U);
  EXPECT_EQ(saved.samples, 300U);
  EXPECT_EQ(Database(fresh_).integrity(), "ok");
}

TEST_F(SalvageTest, SourcesAndRankingsAreSaved) {
  make_database(2);
  {
    Database database = open();
    database.add_ranking(testing::sample_ranking({1, 2}));
    database.put_contract_check(testing::sample_contract_check());
  }
  static_cast<void>(salvage());
  const Database saved(fresh_);
  EXPECT_EQ(saved.contract_checks().size(), 1U);
  EXPECT_EQ(saved.kernel_sources(1).size(), 2U);
  EXPECT_EQ(saved.rankings({}).at(0).ranking.entries.size(), 2U);
}

// The JSON has a shape that no value has; pages and rows are intact.
TEST_F(SalvageTest, ARowWithADamagedColumnIsSavedWithIt) {
  make_database(2);
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute(std::string(testing::kForgetChecksums) +
               "UPDATE trial SET measurement = '7' WHERE id = 1");
  EXPECT_EQ(salvage().trials, 2U);
  const Database saved(fresh_);
  const auto rows = saved.trials({});
  ASSERT_EQ(rows.size(), 2U);
  std::size_t damaged = 0;
  for (const Database::TrialRow& row : rows) damaged += row.trial.measurement.text() == "7" ? 1 : 0;
  EXPECT_EQ(damaged, 1U);
}

TEST_F(SalvageTest, ARankingThatLostAFinalistIsLeftOut) {
  make_database(2);
  {
    Database database = open();
    database.add_ranking(testing::sample_ranking({1, 2}));
  }
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute("PRAGMA foreign_keys = OFF; DELETE FROM trial WHERE id = 2");
  static_cast<void>(salvage());
  const Database saved(fresh_);
  EXPECT_TRUE(saved.rankings({}).empty());
  EXPECT_EQ(saved.integrity(), "ok");
}

TEST_F(SalvageTest, ATruncatedDatabaseGivesWhatIsLeft) {
  make_large_database();
  fs::resize_file(path_, fs::file_size(path_) * 3 / 4);
  const std::string before = bytes_of(path_);
  const Salvaged saved = salvage();
  EXPECT_GT(saved.trials, 100U);
  EXPECT_LT(saved.trials, 300U);
  Database database(fresh_);
  EXPECT_EQ(database.integrity(), "ok");
  EXPECT_EQ(database.trials({.with_samples = true}).size(), saved.trials);
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(SalvageTest, ADamagedPageCostsOnlyItsRows) {
  make_large_database();
  std::string bytes = bytes_of(path_);
  const std::size_t at = bytes.find("key-150");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at / 4096 * 4096, 4096, 4096, '\xff');
  write_bytes(path_, bytes);
  const Salvaged saved = salvage();
  EXPECT_GT(saved.trials, 270U);
  EXPECT_LT(saved.trials, 300U);
  EXPECT_EQ(Database(fresh_).integrity(), "ok");
}

// Looking for each of the claimed rows would never end.
TEST_F(SalvageTest, ATableThatClaimsMoreRowsThanCanBeIsSavedToo) {
  make_large_database();
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute(
          "PRAGMA journal_mode = DELETE; UPDATE sqlite_sequence SET seq = 9223372036854775807");
  std::string bytes = bytes_of(path_);
  const std::size_t at = bytes.find("key-300");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at / 4096 * 4096, 4096, 4096, '\xff');
  write_bytes(path_, bytes);
  EXPECT_GT(salvage().trials, 270U);
  EXPECT_EQ(Database(fresh_).integrity(), "ok");
}

TEST_F(SalvageTest, AnOlderSchemaIsSavedIntoTheCurrentOne) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute(read_file(WARPWRIGHT_SOURCE_DIR "/tests/store/schema_1.sql"));
  EXPECT_EQ(salvage().trials, 2U);
  EXPECT_EQ(Database(fresh_).trials({}).size(), 2U);
}

TEST_F(SalvageTest, NothingIsSavedOverAnExistingFile) {
  make_database();
  write_bytes(fresh_, "mine");
  EXPECT_EQ(message_of([&] { static_cast<void>(salvage()); }, fresh_),
            "{} exists already; name a new file for what is saved");
}

TEST_F(SalvageTest, GarbageGivesNothingAndLeavesNothing) {
  write_bytes(path_, std::string(8192, '?'));
  EXPECT_EQ(message_of([&] { static_cast<void>(salvage()); }, path_),
            "{}: nothing can be saved: not even its list of tables can be read");
  EXPECT_FALSE(fs::exists(fresh_));
}

std::vector<std::string> texts_of(const Salvaged& saved) {
  std::vector<std::string> texts;
  for (const SalvageLoss& loss : saved.losses) texts.push_back(loss.text());
  return texts;
}

// In a row with a checksum, the checksum identifies the damaged column; in a row without one, the
// rules do.
TEST_F(SalvageTest, ADamagedOptionalColumnCostsThatColumnAlone) {
  make_database(3);
  open().add_ranking(testing::sample_ranking({1, 2}));
  const auto damage = [&](const std::string& sql) {
    Connection(path_, Connection::Access::kCreate, 0, "x.db")
        .execute("PRAGMA ignore_check_constraints = ON;" + sql);
    fs::remove(fresh_);
    const Salvaged saved = salvage();
    EXPECT_EQ(saved.trials, 3U);
    const Database database(fresh_, OpenMode::kReadOnly);
    EXPECT_EQ(database.rankings({}).size(), 1U);
    EXPECT_EQ(database.broken_row(), std::nullopt);
    return texts_of(saved);
  };
  EXPECT_EQ(damage("UPDATE trial SET ci_high_us = ci_high_us + 1 WHERE id > 1"),
            std::vector<std::string>{
                "table 'trial', column 'ci_high_us': left out of 2 rows, which are kept; first row "
                "2: ci_high_us does not match the checksum of the row"});
  EXPECT_EQ(damage(std::string(testing::kForgetChecksums) +
                   "UPDATE trial SET resources = '[{' WHERE id = 2; UPDATE trial SET ci_high_us = "
                   "median_us + 1"),
            std::vector<std::string>{
                "table 'trial', column 'resources': left out of 1 row, which is kept; row 2: "
                "resources is '[{', expected JSON"});
}

TEST_F(SalvageTest, ADamagedColumnThatMustBeThereCostsTheRow) {
  make_database(3);
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute("UPDATE trial SET work_bytes = work_bytes + 1 WHERE id = 2");
  const Salvaged saved = salvage();
  EXPECT_EQ(saved.trials, 2U);
  EXPECT_EQ(texts_of(saved),
            (std::vector<std::string>{
                "table 'trial': 1 row left out; row 2: work_bytes does not match the checksum of "
                "the row",
                "table 'sample': 1 row left out, since what it refers to is lost"}));
}

TEST_F(SalvageTest, ADamagedChecksumCostsNothing) {
  make_database(2);
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute(
          "UPDATE trial SET checksum = X'0011223344556677' || substr(checksum, 9) WHERE id = 1");
  const Salvaged saved = salvage();
  EXPECT_EQ(saved.trials, 2U);
  EXPECT_EQ(texts_of(saved), std::vector<std::string>{});
  EXPECT_EQ(Database(fresh_).trials({}).size(), 2U);
}

}  // namespace
}  // namespace warpwright
