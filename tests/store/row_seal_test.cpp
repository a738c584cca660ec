// Every value of every table is covered by a checksum, and every reader checks it.
#include "store/row_seal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "store/row_rules.h"
#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright {
namespace {

using testing::DatabaseTest;
using testing::message_of;

class RowSealTest : public DatabaseTest {
 protected:
  RowSealTest() {
    make_database(2);
    Database database = open();
    database.add_ranking(testing::sample_ranking({1, 2}));
    database.put_contract_check(testing::sample_contract_check());
    database.add_ceiling({1, "read", 4000, "GB/s", 3900, 4100, "ceiling-1", "2026-03-01"});
    database.finish_run(1, "complete", "2026-03-01T13:00:00Z", GoalRecord{});
  }
  void edit(const std::string& sql) const {
    Connection(path_, Connection::Access::kCreate, 0, "x.db")
        .execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;" + sql);
  }
  // Reads everything that the verbs read, one after another.
  static void read_all(const std::filesystem::path& file) {
    const Database database(file, OpenMode::kReadOnly);
    static_cast<void>(database.trials({.with_samples = true}));
    static_cast<void>(database.rankings({}));
    static_cast<void>(database.runs());
    static_cast<void>(database.devices());
    static_cast<void>(database.kernels());
    static_cast<void>(database.kernel_sources(1));
    static_cast<void>(database.ceilings(1));
    static_cast<void>(database.contract_checks());
  }
};

TEST_F(RowSealTest, EveryRowHasOne) {
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  for (const TableRules& rules : table_rules()) {
    EXPECT_GT(connection.query_integer(fmt::format("SELECT count(*) FROM {}", rules.table)), 0)
        << rules.table;
    EXPECT_EQ(connection.query_integer(
                  fmt::format("SELECT count(*) FROM {} WHERE checksum IS NULL OR NOT {}",
                              rules.table, sealed_sql(rules.table, ""))),
              0)
        << rules.table;
  }
  read_all(path_);
}

TEST_F(RowSealTest, AChangeOfAnyColumnIsNoticedByItsReaders) {
  const std::string whole = testing::bytes_of(path_);
  for (const TableRules& rules : table_rules()) {
    for (const ColumnRule& rule : rules.columns) {
      // A row whose number changed is a lost row.
      const std::string name = rule.column;
      if (rule.holds == Holds::kChecksum || name == "id" || name.ends_with("_id")) continue;
      testing::write_bytes(path_, whole);
      edit(
          fmt::format("UPDATE {0} SET \"{1}\" = CASE typeof(\"{1}\") WHEN 'text' THEN \"{1}\" || "
                      "' ' WHEN 'blob' THEN X'00000000' WHEN 'null' THEN 7 ELSE \"{1}\" + 0.5 END",
                      rules.table, name));
      const std::string message = message_of([&] { read_all(path_); }, path_);
      EXPECT_NE(message.find(fmt::format("of table '{}' does not match its checksum", rules.table)),
                std::string::npos)
          << rules.table << "." << name << ": " << message;
    }
  }
}

// SQLite reads a column from an index if there is one; here the table's own value is damaged.
TEST_F(RowSealTest, AnIndexDoesNotAnswerForItsTable) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute("PRAGMA journal_mode = DELETE");
  std::string bytes = testing::bytes_of(path_);
  // The name, then 4000 in SQLite's encoding, then the unit.
  const std::size_t found = bytes.find("read\x0f\xa0GB/s");
  ASSERT_NE(found, std::string::npos);
  bytes[found + 2] = 'A';
  testing::write_bytes(path_, bytes);
  EXPECT_NE(message_of([&] { static_cast<void>(open(OpenMode::kReadOnly).ceilings(1)); }, path_)
                .find("row 1 of table 'ceiling' does not match its checksum"),
            std::string::npos);
}

TEST_F(RowSealTest, SaysWhichRowAndWhatToDo) {
  edit("UPDATE trial SET median_us = 372.2 WHERE id = 2");
  const std::string saved = (folder_.path() / "x-recovered.db").string();
  EXPECT_EQ(message_of([&] { static_cast<void>(open().trials({})); }, path_),
            "{} is damaged: row 2 of table 'trial' does not match its checksum: a value in it was "
            "changed after it was stored; save what is left with `warpwright salvage {} -o " +
                saved + "`, then use --db " + saved);
}

TEST_F(RowSealTest, RowsWithoutOneAreTakenAsTheyAre) {
  edit(testing::kForgetChecksums);
  read_all(path_);
  EXPECT_EQ(open().broken_row(), std::nullopt);
}

TEST_F(RowSealTest, AChangedRowIsNotSealedAnew) {
  edit("UPDATE run SET budget = '201'");
  EXPECT_NE(message_of([&] { open().finish_run(1, "complete", "2026-03-01T14:00:00Z"); }, path_)
                .find("row 1 of table 'run' does not match its checksum"),
            std::string::npos);
}

TEST_F(RowSealTest, TextsThatDisagreeWithTheirValuesAreBrokenRows) {
  edit(std::string(testing::kForgetChecksums) +
       "UPDATE configuration SET text = 'threshold THREADS=256'");
  EXPECT_EQ(open().broken_row(),
            "table 'configuration', row 1: text is 'threshold THREADS=256', expected the names and "
            "values of values, '{\"THREADS\":512}'");
  edit(
      "UPDATE configuration SET text = 'threshold THREADS=512.0'; UPDATE problem SET text = "
      "'V=50257 K=10 dtype=f32 rows=8193'");
  EXPECT_EQ(
      open().broken_row(),
      "table 'problem', row 1: text is 'V=50257 K=10 dtype=f32 rows=8193', expected the names "
      "and values of sizes, a text of 44 bytes, "
      "'{\"K\":10,\"V\":50257,\"dtype\":\"f32\",\"rows\":8...'");
}

TEST(NamesValuesTest, ValuesOfOtherTunersAreQuoted) {
  const auto holds = [](const std::string& text, const ParameterValues& values) {
    return names_values(text, "", values) && !names_values(text + " x=1", "", values);
  };
  for (const std::string text : {"", "two words", "a=b", "\"", "b=2 c=\"", "\n"}) {
    const ParameterValues values{{"a", Value(text)}, {"b", Value(std::int64_t{2})}};
    EXPECT_TRUE(holds(configuration_text("", values), values)) << text;
    ParameterValues others = values;
    others["a"] = Value("other");
    EXPECT_FALSE(names_values(configuration_text("", values), "", others)) << text;
  }
}

}  // namespace
}  // namespace warpwright
