#include "store/sqlite.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "store/sample_records.h"

namespace warpwright {
namespace {

using testing::message_of;

class SqliteTest : public ::testing::Test {
 protected:
  Connection connection_ = Connection::in_memory("x.db");
};

TEST_F(SqliteTest, ValuesComeBackAsTheyWere) {
  connection_.execute("CREATE TABLE t (a, b, c, d, e)");
  const std::array blob = {std::byte{0}, std::byte{255}};
  Statement(connection_, "INSERT INTO t VALUES (?, ?, ?, ?, ?)")
      .bind(std::numeric_limits<std::int64_t>::min())
      .bind(0.1)
      .bind("µs")
      .bind(std::optional<double>())
      .bind(std::span<const std::byte>(blob))
      .run();
  Statement row(connection_, "SELECT * FROM t");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.next_integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(row.next_real(), 0.1);
  EXPECT_EQ(row.next_text(), "µs");
  EXPECT_EQ(row.next_optional_real(), std::nullopt);
  const auto data = row.next_blob();
  EXPECT_TRUE(std::equal(data.begin(), data.end(), blob.begin(), blob.end()));
  EXPECT_FALSE(row.step());
}

TEST_F(SqliteTest, EmptyTextIsNotNullUnlessAskedFor) {
  connection_.execute("CREATE TABLE t (a, b)");
  Statement(connection_, "INSERT INTO t VALUES (?, ?)")
      .bind(std::string_view())
      .bind_text_or_null("")
      .run();
  EXPECT_EQ(connection_.query_text("SELECT typeof(a) || ' ' || typeof(b) FROM t"), "text null");
}

TEST_F(SqliteTest, TextKeepsZeroBytes) {
  const std::string text("a\0b", 3);
  Statement echo(connection_, "SELECT ?");
  echo.bind(text);
  ASSERT_TRUE(echo.step());
  EXPECT_EQ(echo.next_text(), text);
}

TEST_F(SqliteTest, StatementRunsAgainAfterReset) {
  Statement sum(connection_, "SELECT ? + ?");
  for (const std::int64_t value : {1, 2, 3}) {
    sum.bind(value).bind(value);
    ASSERT_TRUE(sum.step());
    EXPECT_EQ(sum.next_integer(), 2 * value);
    sum.reset();
  }
}

TEST_F(SqliteTest, TransactionIsUndoneUnlessCommitted) {
  connection_.execute("CREATE TABLE t (a)");
  {
    Transaction transaction(connection_);
    connection_.execute("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(connection_.query_integer("SELECT count(*) FROM t"), 0);
  {
    Transaction transaction(connection_);
    connection_.execute("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  EXPECT_EQ(connection_.query_integer("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteTest, InnerTransactionIsUndoneAlone) {
  connection_.execute("CREATE TABLE t (a)");
  Transaction outer(connection_);
  connection_.execute("INSERT INTO t VALUES (1)");
  {
    Transaction inner(connection_);
    connection_.execute("INSERT INTO t VALUES (2)");
  }
  {
    Transaction inner(connection_);
    connection_.execute("INSERT INTO t VALUES (3)");
    inner.commit();
  }
  outer.commit();
  EXPECT_EQ(connection_.query_text("SELECT group_concat(a) FROM t"), "1,3");
}

TEST_F(SqliteTest, WrongSqlIsOurFault) {
  EXPECT_EQ(message_of([&] { connection_.execute("SELEC 1"); }),
            "x.db: SQLite error 1: near \"SELEC\": syntax error; please report this");
}

TEST_F(SqliteTest, FullDatabaseKeepsWhatWasCommitted) {
  connection_.execute("CREATE TABLE t (a); PRAGMA max_page_count = 20");
  connection_.note_committed(0);
  std::uint64_t committed = 0;
  const std::string message = message_of([&] {
    for (;;) {
      Transaction transaction(connection_);
      connection_.execute("INSERT INTO t VALUES (zeroblob(5000))");
      transaction.commit();
      connection_.note_committed(++committed);
    }
  });
  EXPECT_EQ(message, "disk is full: x.db: no room for another trial; " + std::to_string(committed) +
                         " trials committed so far are safe; free some space and run the same "
                         "command again, it resumes");
  EXPECT_GT(committed, 5U);
  EXPECT_EQ(connection_.query_integer("SELECT count(*) FROM t"),
            static_cast<std::int64_t>(committed));
}

TEST(SqliteFile, NamesThatLookLikeUriSyntaxAreNames) {
  TemporaryFolder folder;
  const auto path = folder.path() / "50%20?mode=memory#1.db";
  Connection(path, Connection::Access::kCreate, 0, "x.db").execute("CREATE TABLE t (a)");
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(Connection(path, Connection::Access::kRead, 0, "x.db")
                .query_integer("SELECT count(*) FROM sqlite_master"),
            1);
}

}  // namespace
}  // namespace warpwright
