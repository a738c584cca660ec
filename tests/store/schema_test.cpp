#include "store/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "store/sample_records.h"

namespace warpwright {
namespace {

using testing::bytes_of;
using testing::DatabaseTest;
using testing::message_of;

constexpr const char* kVersion1 = WARPWRIGHT_SOURCE_DIR "/tests/store/schema_1.sql";
constexpr const char* kVersion2 = WARPWRIGHT_SOURCE_DIR "/tests/store/schema_2.sql";
constexpr const char* kVersion3 = WARPWRIGHT_SOURCE_DIR "/tests/store/schema_3.sql";

class SchemaTest : public DatabaseTest {
 protected:
  void make_version_1() const {
    Connection(path_, Connection::Access::kCreate, 0, "x.db").execute(read_file(kVersion1));
  }
};

TEST_F(SchemaTest, StepsAscendFromOneWithoutGaps) {
  int expected = 1;
  for (const Migration& step : migrations()) EXPECT_EQ(step.version, expected++);
  EXPECT_EQ(current_schema_version(), expected - 1);
}

TEST_F(SchemaTest, NewDatabaseCarriesOurMarkAndVersion) {
  static_cast<void>(open());
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_integer("PRAGMA application_id"), 0x57617270);
  EXPECT_EQ(connection.query_integer("PRAGMA user_version"), Database::schema_version());
  EXPECT_EQ(bytes_of(path_).substr(68, 4), "Warp");
}

TEST_F(SchemaTest, NewDatabaseHasTheDocumentedTables) {
  static_cast<void>(open());
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text(
                "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master WHERE type IN "
                "('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name)"),
            "ceiling configuration contract_check device kernel kernel_source problem ranking "
            "ranking_entry run "
            "sample trial v_ceiling v_failure v_leaderboard v_ranking v_standing v_trial");
}

TEST_F(SchemaTest, TheReferencePageNamesEveryTableAndView) {
  static_cast<void>(open());
  const std::string page = read_file(WARPWRIGHT_SOURCE_DIR "/results/README.md");
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  Statement names(
      connection,
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE "
      "'sqlite_%'");
  while (names.step()) {
    const std::string name = names.next_text();
    EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
  }
  EXPECT_NE(page.find(fmt::format("Schema version {} ", Database::schema_version())),
            std::string::npos);
}

TEST_F(SchemaTest, Version1IsMigratedWithItsTrials) {
  make_version_1();
  Database database = open();
  EXPECT_EQ(database.integrity(), "ok");
  const auto rows = database.trials({.with_samples = true});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].trial.median_us, 372.1);
  EXPECT_EQ(rows[0].trial.floor_us, std::nullopt);  // version 1 did not store it
  EXPECT_EQ(rows[0].trial.samples_us, (std::vector<double>{1.0, 372.125}));
  EXPECT_EQ(rows[1].trial.status, Status::kTimeout);
  TrialRecord trial = testing::sample_trial();
  trial.key = "key-3";
  EXPECT_EQ(database.add_trial(trial), 3);
}

TEST_F(SchemaTest, Version2IsMigratedWithItsTrialsAndCeilings) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute(read_file(kVersion2));
  Database database = open();
  EXPECT_EQ(database.integrity(), "ok");
  const auto rows = database.trials({.with_samples = true});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].trial.floor_us, 4.4);
  EXPECT_EQ(rows[0].trial.raw_median_us, std::nullopt);  // version 2 subtracted no floor
  EXPECT_FALSE(rows[0].trial.measurement.known());
  EXPECT_EQ(database.ceilings(1).at(0).value, 4430);
  EXPECT_TRUE(database.kernel_sources(1).empty());
  EXPECT_TRUE(database.rankings({}).empty());
  EXPECT_EQ(
      database.add_ranking(testing::sample_ranking({database.add_trial(testing::sample_trial())})),
      1);
}

TEST_F(SchemaTest, Version3IsMigratedWithItsRankingAndKnowsNoLimits) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute(read_file(kVersion3));
  Database database = open();
  EXPECT_EQ(database.integrity(), "ok");
  const auto rows = database.trials({});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].trial.raw_median_us, 376.5);
  EXPECT_EQ(rows[0].trial.work_bytes, 1647476736);
  EXPECT_EQ(rows[0].trial.work_bytes_written, std::nullopt);
  EXPECT_EQ(rows[0].trial.arithmetic, "");
  EXPECT_EQ(rows[0].default_configuration, "");
  EXPECT_FALSE(rows[0].baseline);
  const auto rankings = database.rankings({});
  ASSERT_EQ(rankings.size(), 1U);
  EXPECT_EQ(rankings[0].ranking.entries.at(0).rounds_us, (std::vector<double>{1.0, 372.125}));
  const KernelRecord kernel = database.kernels().at(0).second;
  EXPECT_EQ(kernel.default_configuration, std::nullopt);
  EXPECT_EQ(kernel.baseline, std::nullopt);
}

TEST_F(SchemaTest, ARunKeepsItsGoalAndOneOfBeforeHasNone) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute(read_file(kVersion3));
  Database database = open();
  RunRecord run = database.runs().at(0).second;
  EXPECT_FALSE(run.goal.known());
  GoalRecord goal;
  goal.kernel = "softmax_topk";
  goal.objectives = {{"energy", false}, {"gflops", true}};
  goal.requirements = {"registers <= 128"};
  goal.boards = {{"fingerprint", "rows=1"}};
  run.goal = goal;
  database.start_run(run);
  const RunRecord again = database.runs().back().second;
  EXPECT_EQ(again.goal->objectives, goal.objectives);
  EXPECT_EQ(again.goal->requirements, goal.requirements);
  EXPECT_EQ(again.goal->boards, goal.boards);
  EXPECT_EQ(again.goal.text().find("knowledge"), std::string::npos);
  EXPECT_EQ(again, run);
  EXPECT_EQ(database.broken_row(), std::nullopt);
}

TEST_F(SchemaTest, ARunKeepsWhatItsSearchesKnewWhenItBegan) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute(read_file(kVersion3));
  Database database = open();
  RunRecord run = database.runs().at(0).second;
  GoalRecord goal;
  goal.kernel = "softmax_topk";
  goal.boards = {{"fingerprint", "rows=1"}};
  goal.knowledge = {{goal.boards[0], {{"board", "NVIDIA H200", "rows=2", 412}}}};
  EXPECT_TRUE(goal.plain());
  run.goal = goal;
  database.start_run(run);
  const RunRecord again = database.runs().back().second;
  EXPECT_EQ(again.goal->knowledge, goal.knowledge);
  EXPECT_EQ(Stored<GoalRecord>(*again.goal).text(), again.goal.text());
  EXPECT_EQ(database.broken_row(), std::nullopt);
}

TEST_F(SchemaTest, ADatabaseOfBeforeKnowsNoContractChecksAndTakesThem) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute(read_file(kVersion3));
  Database database = open();
  EXPECT_TRUE(database.contract_checks().empty());
  database.put_contract_check(testing::sample_contract_check());
  EXPECT_EQ(database.contract_checks().at(0).check, testing::sample_contract_check());
  EXPECT_EQ(database.broken_row(), std::nullopt);
  EXPECT_EQ(database.integrity(), "ok");
}

TEST_F(SchemaTest, MigrationMakesTheViewsAnew) {
  make_version_1();
  static_cast<void>(open());
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text("SELECT configuration FROM v_leaderboard WHERE rank = 1"),
            "threshold THREADS=512");
  EXPECT_EQ(connection.query_text("SELECT reason FROM v_failure"), "no end after 2000 ms");
}

TEST_F(SchemaTest, ReadingVersion1LeavesTheFileAsItWas) {
  make_version_1();
  const std::string before = bytes_of(path_);
  EXPECT_EQ(open(OpenMode::kReadOnly).trial_count(), 2U);
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(SchemaTest, MigratingTwiceChangesNothing) {
  Connection connection = Connection::in_memory("x.db");
  EXPECT_TRUE(migrate(connection, migrations(), views()));
  EXPECT_FALSE(migrate(connection, migrations(), views()));
}

TEST_F(SchemaTest, AFailingStepLeavesTheOldVersionWhole) {
  constexpr std::array kBroken = {Migration{1, "CREATE TABLE a (x)"},
                                  Migration{2, "CREATE TABLE b (x); CREATE TABLE a (x)"}};
  Connection connection = Connection::in_memory("x.db");
  migrate(connection, std::span(kBroken).first(1), {});
  EXPECT_EQ(message_of([&] { migrate(connection, kBroken, {}); }),
            "x.db: SQLite error 1: table a already exists; please report this");
  EXPECT_EQ(connection.query_integer("PRAGMA user_version"), 1);
  EXPECT_EQ(connection.query_text("SELECT group_concat(name) FROM sqlite_master"), "a");
}

TEST_F(SchemaTest, AStepThatBreaksAReferenceIsUndone) {
  constexpr std::array kBroken = {
      Migration{1,
                "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a);"
                "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)"},
      Migration{2, "DELETE FROM a"}};
  Connection connection = Connection::in_memory("x.db");
  migrate(connection, std::span(kBroken).first(1), {});
  EXPECT_EQ(message_of([&] { migrate(connection, kBroken, {}); }),
            "x.db: after migration from schema 1 to 2 a row of table b refers to nothing; the "
            "database was left as it was; please report this");
  EXPECT_EQ(connection.query_integer("SELECT count(*) FROM a"), 1);
}

TEST_F(SchemaTest, NewerSchemaIsRefusedAndLeftAlone) {
  make_database();
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute("PRAGMA user_version = 9");
  const std::string expected = "{}: schema 9 was written by a newer warpwright; this one reads " +
                               std::to_string(Database::schema_version()) + "; update it";
  EXPECT_EQ(message_of([&] { Database{path_}; }, path_), expected);
  EXPECT_EQ(message_of([&] { Database(path_, OpenMode::kReadOnly); }, path_), expected);
  EXPECT_EQ(Connection(path_, Connection::Access::kRead, 0, "x.db")
                .query_integer("SELECT count(*) FROM trial"),
            1);
}

}  // namespace
}  // namespace warpwright
