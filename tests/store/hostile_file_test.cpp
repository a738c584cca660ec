// Database files that were made to do harm: nothing in them runs, and nothing in them is trusted.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <set>

#include "core/error.h"
#include "store/open.h"
#include "store/row_rules.h"
#include "store/salvage.h"
#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright {
namespace {

using testing::DatabaseTest;
using testing::message_of;
using testing::sample_trial;

class HostileFile : public DatabaseTest {
 protected:
  // Edits as another program would: with plain SQLite, without the guards.
  void edit(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    char* fault = nullptr;
    sqlite3_exec(handle, (testing::kForgetChecksums + sql).c_str(), nullptr, nullptr, &fault);
    EXPECT_EQ(fault, nullptr) << fault;
    sqlite3_free(fault);
    sqlite3_close(handle);
  }
  std::string message(OpenMode mode = OpenMode::kReadOnly) {
    std::string text;
    Fault fault = Fault::kUser;
    try {
      Database(path_, mode, 0);
      return "no error";
    } catch (const Error& error) {
      fault = error.fault();
    }
    EXPECT_EQ(fault, Fault::kUser);
    return message_of([&] { Database(path_, mode, 0); }, path_);
  }
  [[nodiscard]] std::string damaged(const std::string& why) const {
    const std::string recovered = (folder_.path() / "x-recovered.db").string();
    return "{} is damaged: " + why + "; save what is left with `warpwright salvage {} -o " +
           recovered + "`, then use --db " + recovered;
  }
  // Both ways of opening refuse the file with the same message.
  void expect_refused(const std::string& why) {
    EXPECT_EQ(message(), damaged(why));
    EXPECT_EQ(message(OpenMode::kReadWrite), damaged(why));
  }
  std::string broken(const std::string& update) {
    make_database(2);
    edit("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;" + update);
    return Database(path_, OpenMode::kReadOnly).broken_row().value_or("none");
  }
};

TEST_F(HostileFile, TriggersDoNotRun) {
  make_database(3);
  edit(
      "CREATE TRIGGER a AFTER INSERT ON trial BEGIN DELETE FROM trial WHERE id < 3; END;"
      "CREATE TRIGGER b AFTER UPDATE ON run BEGIN DELETE FROM trial; END;"
      "CREATE TRIGGER c AFTER DELETE ON ceiling BEGIN DELETE FROM trial; END;"
      "CREATE TRIGGER d BEFORE INSERT ON sample BEGIN SELECT RAISE(FAIL, 'no'); END;");
  Database database = open();
  TrialRecord trial = sample_trial();
  trial.key = "one more";
  database.add_trial(trial);
  database.add_ceiling({1, "read", 4000, "GB/s", {}, {}, "p", "t"});
  database.remove_ceilings(1);
  database.finish_run(1, "complete", "t");
  EXPECT_EQ(database.trial_count(), 4U);
}

TEST_F(HostileFile, KeysStillCascade) {
  make_database(2);
  Database database = open();
  database.remove_trials("softmax_topk", 1);
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_integer("SELECT count(*) FROM sample"), 0);
}

TEST_F(HostileFile, AViewInPlaceOfATableIsRefused) {
  make_database();
  edit(
      "PRAGMA legacy_alter_table = ON; ALTER TABLE trial RENAME TO t2; CREATE VIEW trial AS SELECT "
      "* FROM t2");
  expect_refused("'trial' is a view, expected a table");
}

TEST_F(HostileFile, AVirtualTableIsRefused) {
  make_database();
  edit("DROP TABLE ceiling; CREATE VIRTUAL TABLE ceiling USING fts5(x)");
  expect_refused("table 'ceiling' is a virtual one, expected one that holds rows");
}

TEST_F(HostileFile, AMissingTableIsNamed) {
  make_database();
  edit("DROP TABLE ceiling");
  expect_refused("there is no table 'ceiling'");
}

TEST_F(HostileFile, AMissingColumnIsNamed) {
  make_database();
  edit(
      "DROP VIEW v_leaderboard; DROP VIEW v_failure; DROP VIEW v_standing; DROP VIEW v_trial; "
      "ALTER TABLE trial DROP COLUMN arithmetic");
  expect_refused("table 'trial' has no column 'arithmetic'");
}

TEST_F(HostileFile, AComputedColumnIsRefused) {
  make_database();
  edit(
      "DROP TABLE ceiling; CREATE TABLE ceiling (id INTEGER PRIMARY KEY, device_id INTEGER, name "
      "TEXT, value REAL AS (1e9), unit TEXT, ci_low REAL, ci_high REAL, protocol TEXT, "
      "measured_utc TEXT); CREATE INDEX ceiling_by_device ON ceiling (device_id, name, id)");
  expect_refused("table 'ceiling' has a column 'value' that is computed, not stored");
}

TEST_F(HostileFile, OtherTypesAndChecksAreRefused) {
  make_database();
  // Without its spaces, TEXT NOT NULL is a type of that name and not a rule.
  edit(
      "DROP TABLE sample; CREATE TABLE sample (trial_id INTEGER PRIMARY KEY REFERENCES trial ON "
      "DELETE CASCADE, count INTEGER NOT NULL, encoding TEXTNOTNULL, data BLOB NOT NULL, "
      "checksum BLOB)");
  expect_refused("table 'sample' has other types, keys or checks than warpwright gives it");
}

TEST_F(HostileFile, AnIndexThatMayRefuseOurRowsIsRefused) {
  make_database();
  edit("CREATE UNIQUE INDEX one_only ON trial (status)");
  EXPECT_EQ(message(OpenMode::kReadWrite),
            "{}: index 'one_only' on table 'trial' is not one of warpwright's and may refuse what "
            "it stores; take it out with sqlite3: DROP INDEX \"one_only\"");
}

TEST_F(HostileFile, AVersionBeforeItsTablesIsRefused) {
  make_database();
  edit("PRAGMA user_version = 0");
  const std::string text = message(OpenMode::kReadWrite);
  EXPECT_TRUE(
      text.starts_with("{} is damaged: table 'ceiling' is of a newer schema than 0, the "
                       "version of the file; "))
      << text;
}

TEST_F(HostileFile, ATableUnderTheNameOfAViewIsRefused) {
  make_database();
  edit("DROP VIEW v_trial; CREATE TABLE v_trial (x)");
  expect_refused("'v_trial' is not a view but a table");
}

TEST_F(HostileFile, ViewsOfOthersAreReplacedWhenItIsOpenedForWriting) {
  make_database();
  edit("DROP VIEW v_leaderboard; CREATE VIEW v_leaderboard AS SELECT 'evil' AS configuration");
  EXPECT_EQ(message(), "no error");
  EXPECT_EQ(message(OpenMode::kReadWrite), "no error");
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text("SELECT configuration FROM v_leaderboard"),
            "threshold THREADS=512");
}

TEST_F(HostileFile, FunctionsOfASchemaWithSideEffectsAreRefused) {
  make_database();
  edit("CREATE TABLE extra (x, y AS (json('{bad')))");
  Connection connection(path_, Connection::Access::kCreate, 0, "x.db");
  EXPECT_EQ(
      message_of([&] { connection.execute("INSERT INTO extra (x) VALUES (1)"); }),
      "x.db is damaged: malformed database schema (extra) - unsafe use of json(); save what is "
      "left with `warpwright salvage x.db -o x-recovered.db`, then use --db x-recovered.db");
}

TEST_F(HostileFile, EveryColumnHasARule) {
  static_cast<void>(open());
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  std::set<std::string> tables;
  for (const TableRules& rules : table_rules()) {
    tables.insert(rules.table);
    std::set<std::string> ruled, there;
    for (const ColumnRule& rule : rules.columns) ruled.insert(rule.column);
    Statement names(connection, "SELECT name FROM pragma_table_info(?)");
    for (names.bind(std::string_view(rules.table)); names.step();) there.insert(names.next_text());
    EXPECT_EQ(ruled, there) << rules.table;
  }
  Statement names(
      connection,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  while (names.step()) EXPECT_TRUE(tables.contains(names.next_text()));
}

TEST_F(HostileFile, WholeDatabasesKeepToTheRules) {
  EXPECT_EQ(broken("UPDATE trial SET median_us = 372 WHERE id = 1"), "none");
}

TEST_F(HostileFile, TimesThatAreNone) {
  const std::string expected = ", expected a finite positive time";
  EXPECT_EQ(broken("UPDATE trial SET median_us = 9e999 WHERE id = 2"),
            "table 'trial', row 2: median_us is inf" + expected);
  EXPECT_EQ(broken("UPDATE trial SET median_us = 0"),
            "table 'trial', row 1: median_us is 0" + expected);
}

TEST_F(HostileFile, NegativeTimesTextsAndBlobs) {
  const std::string expected = ", expected a finite positive time";
  EXPECT_EQ(broken("UPDATE trial SET raw_median_us = -3"),
            "table 'trial', row 1: raw_median_us is -3" + expected);
  edit("UPDATE trial SET raw_median_us = 'a' || char(27) || '[2J'");
  EXPECT_EQ(*Database(path_, OpenMode::kReadOnly).broken_row(),
            "table 'trial', row 1: raw_median_us is 'a\\x1b[2J'" + expected);
  edit("UPDATE trial SET raw_median_us = zeroblob(70000)");
  EXPECT_EQ(*Database(path_, OpenMode::kReadOnly).broken_row(),
            "table 'trial', row 1: raw_median_us is a blob of 70000 bytes" + expected);
}

TEST_F(HostileFile, IntervalsHoldTheirMedian) {
  EXPECT_EQ(broken("UPDATE trial SET ci_low_us = 400"),
            "table 'trial', row 1: ci_low_us is 400, expected at most 372.1, its median_us");
}

TEST_F(HostileFile, StatusesNamesAndNumbersAreOfTheirKind) {
  EXPECT_EQ(broken("UPDATE trial SET status = 'exploded'"),
            "table 'trial', row 1: status is 'exploded', expected a status of this warpwright "
            "version");
  edit("UPDATE trial SET status = 'ok', sm_clock_mhz = 1e300");
  EXPECT_EQ(*Database(path_, OpenMode::kReadOnly).broken_row(),
            "table 'trial', row 1: sm_clock_mhz is 1e+300, expected a whole number from 0 to "
            "1,000,000,000");
  edit("UPDATE device SET name = printf('%.*c', 100000, 'x')");
  EXPECT_EQ(*Database(path_, OpenMode::kReadOnly).broken_row(),
            "table 'device', row 1: name is a text of 100000 bytes, "
            "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...', expected a text of at most 64 KiB "
            "without control characters");
}

TEST_F(HostileFile, SamplesAreAsManyAsTheySayAndReadWithoutWhatIsNoNumber) {
  EXPECT_EQ(broken("UPDATE sample SET count = 7 WHERE trial_id = 2"),
            "table 'sample', row 2: data has 12 bytes, expected 4 for each of 7 samples");
  edit("UPDATE sample SET count = 3, data = X'0000C0430000807F0000C043'");
  const Database database(path_, OpenMode::kReadOnly);
  EXPECT_EQ(database.broken_row(), std::nullopt);
  EXPECT_EQ(database.trials({.with_samples = true}).at(0).trial.samples_us.size(), 2U);
}

TEST_F(HostileFile, ReadingLeavesOutWhatIsNoTimeAndSaysSo) {
  make_database(3);
  edit(
      "UPDATE trial SET median_us = 9e999 WHERE id = 1; UPDATE trial SET median_us = -1, reason = "
      "'' "
      "WHERE id = 2; UPDATE trial SET reason = '' WHERE id = 1");
  const auto rows = Database(path_, OpenMode::kReadOnly).trials({});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].trial.median_us, std::nullopt);
  EXPECT_EQ(rows[0].trial.ci_low_us, std::nullopt);
  EXPECT_EQ(rows[0].trial.reason, "median_us is inf, expected a finite positive time");
  EXPECT_EQ(rows[1].trial.reason, "median_us is -1, expected a finite positive time");
  EXPECT_EQ(rows[2].trial.median_us, 372.1);
}

TEST_F(HostileFile, TheViewRanksNoneOfThem) {
  make_database(5);
  edit(
      "UPDATE trial SET median_us = 9e999 WHERE id = 1; UPDATE trial SET median_us = -1 WHERE id = "
      "2; UPDATE trial SET median_us = 0 WHERE id = 3; UPDATE trial SET median_us = 'x' WHERE id = "
      "4");
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text("SELECT group_concat(trial) FROM v_leaderboard"), "5");
}

TEST_F(HostileFile, SalvageLeavesBrokenRowsOutAndRunsNothing) {
  make_database(4);
  open().add_ranking(testing::sample_ranking({2, 3}));
  edit(
      "UPDATE trial SET median_us = 9e999 WHERE id = 1; UPDATE ranking_entry SET median_us = 0 "
      "WHERE trial_id = 3;"
      "CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM trial; END;"
      "ALTER TABLE ceiling RENAME TO c2; CREATE VIEW ceiling AS SELECT * FROM c2");
  const std::filesystem::path fresh = folder_.path() / "fresh.db";
  const Salvaged saved = salvage_database(path_, fresh);
  EXPECT_EQ(saved.trials, 4U);
  EXPECT_EQ(saved.samples, 4U);
  std::vector<std::string> losses;
  for (const SalvageLoss& loss : saved.losses) losses.push_back(loss.text());
  EXPECT_EQ(losses,
            (std::vector<std::string>{
                "table 'trial', column 'median_us': left out of 1 row, which is kept; row 1: "
                "median_us is inf, expected a finite positive time",
                "table 'ceiling' cannot be found",
                "table 'ranking_entry': 1 row left out; row 2: median_us is 0, expected a finite "
                "positive time",
                "table 'ranking': 1 row left out, since what it refers to is lost",
                "table 'ranking_entry': 1 row left out, since what it refers to is lost"}));
  const Database database(fresh, OpenMode::kReadOnly);
  EXPECT_EQ(database.integrity(), "ok");
  EXPECT_EQ(database.broken_row(), std::nullopt);
  EXPECT_TRUE(database.rankings({}).empty());
}

}  // namespace
}  // namespace warpwright
