// Files that may be found in place of a database, and the restrictions of their location.
#include "store/open.h"

#include <gtest/gtest.h>

#include "store/child_process.h"
#include "store/file_header.h"
#include "store/sample_records.h"
#include "store/sqlite.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::ChildProcess;
using testing::DatabaseTest;
using testing::message_of;
using testing::result_without_root;
using testing::write_bytes;

class OpenTest : public DatabaseTest {
 protected:
  std::string open_message(OpenMode mode = OpenMode::kReadWrite) {
    return message_of([&] { Database(path_, mode, 0); }, path_);
  }
  // Changes the permissions of the folder, which is created for its owner alone.
  void set_mode(unsigned bits) const {
    fs::permissions(folder_.path(), static_cast<fs::perms>(bits));
  }
};

TEST_F(OpenTest, GarbageIsRefusedAndLeftUntouched) {
  write_bytes(path_, "kernel: softmax_topk\n");
  EXPECT_EQ(
      open_message(),
      "{} is not a Warpwright database: it does not start as an SQLite file does; it was left "
      "untouched; use --db FILE for another database");
  EXPECT_EQ(open_message(OpenMode::kReadOnly), open_message());
  EXPECT_EQ(bytes_of(path_), "kernel: softmax_topk\n");
}

TEST_F(OpenTest, AnotherProgramsDatabaseIsRefusedAndLeftUntouched) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute("CREATE TABLE photos (a); CREATE TABLE albums (a)");
  const std::string before = bytes_of(path_);
  const std::string expected =
      "{} is not a Warpwright database: it is an SQLite database of another program (tables: "
      "albums, "
      "photos); it was left untouched; use --db FILE for another database";
  EXPECT_EQ(open_message(), expected);
  EXPECT_EQ(open_message(OpenMode::kReadOnly), expected);
  EXPECT_EQ(bytes_of(path_), before);
  EXPECT_FALSE(fs::exists(path_.string() + "-wal"));
}

TEST_F(OpenTest, AnotherProgramsEmptyDatabaseIsRefused) {
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute("PRAGMA application_id = 5");
  EXPECT_EQ(
      open_message(),
      "{} is not a Warpwright database: it is an empty SQLite database of another program; it "
      "was left untouched; use --db FILE for another database");
}

TEST_F(OpenTest, AnEmptyFileBecomesADatabase) {
  write_bytes(path_, "");
  EXPECT_EQ(open_message(), "no error");
  EXPECT_EQ(open().trial_count(), 0U);
}

TEST_F(OpenTest, ReadingNeedsResults) {
  EXPECT_EQ(open_message(OpenMode::kReadOnly),
            "{} does not exist; run `warpwright sweep CONFIG` first, or use --db FILE for another "
            "database");
  write_bytes(path_, "");
  EXPECT_EQ(
      open_message(OpenMode::kReadOnly),
      "{} is empty; run `warpwright sweep CONFIG` first, or use --db FILE for another database");
}

TEST_F(OpenTest, AFolderIsNoDatabase) {
  EXPECT_EQ(message_of([&] { Database(folder_.path()); }, folder_.path()),
            "{} is a folder, expected a database file; use --db FILE");
}

TEST_F(OpenTest, AFileInThePlaceOfTheFolderIsAnErrorOfTheEnvironment) {
  write_bytes(folder_.path() / "results", "x");
  const fs::path place = folder_.path() / "results" / "x.db";
  EXPECT_EQ(message_of([&] { Database{place}; }, folder_.path()),
            "{}/results/x.db: a file is in the place of its folder, {}/results; use --db FILE for "
            "another database");
  try {
    Database{place};
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 3);
  }
}

// Flips a byte in the header, which gives a format unknown to SQLite.
TEST_F(OpenTest, AFormatOfTheFutureIsDamage) {
  make_database();
  Connection(path_, Connection::Access::kCreate, 0, "x.db").execute("PRAGMA journal_mode = DELETE");
  std::string bytes = bytes_of(path_);
  bytes[47] = 9;
  write_bytes(path_, bytes);
  const std::string saved = (folder_.path() / "x-recovered.db").string();
  EXPECT_EQ(open_message(OpenMode::kReadOnly),
            "{} is damaged: unsupported file format; save what is left with `warpwright salvage {} "
            "-o " +
                saved + "`, then use --db " + saved);
}

TEST_F(OpenTest, AMissingFolderIsNamed) {
  EXPECT_EQ(message_of([&] { Database(folder_.path() / "results" / "x.db"); }, folder_.path()),
            "{}/results/x.db: there is no folder {}/results; make it with `mkdir -p {}/results` or "
            "use --db FILE for another database");
}

TEST_F(OpenTest, ATruncatedFileSaysHowMuchIsMissingAndHowToSaveTheRest) {
  make_database(20);
  const auto whole = fs::file_size(path_);
  fs::resize_file(path_, whole - 5000);
  const std::string recovered = (folder_.path() / "x-recovered.db").string();
  EXPECT_EQ(open_message(), "{} is damaged: it is truncated: expected at least " +
                                std::to_string(whole) + " bytes, got " +
                                std::to_string(whole - 5000) +
                                "; save what is left with `warpwright salvage {} -o " + recovered +
                                "`, then use --db " + recovered);
  EXPECT_EQ(fs::file_size(path_), whole - 5000);
}

TEST_F(OpenTest, AFileCutInsideItsHeaderIsTruncated) {
  make_database();
  for (const std::uintmax_t bytes : {99, 16, 15, 1}) {
    fs::resize_file(path_, bytes);
    EXPECT_EQ(inspect_file(path_).kind, FileKind::kTruncated) << bytes << " bytes";
  }
}

TEST_F(OpenTest, AnOverwrittenPageIsFoundWhenOpening) {
  make_database(20);
  std::string bytes = bytes_of(path_);
  for (std::size_t page = 1; page < 6; ++page) bytes.replace(page * 4096, 64, 64, '\xff');
  write_bytes(path_, bytes);
  const std::string message = open_message();
  EXPECT_TRUE(message.starts_with("{} is damaged: ")) << message;
  EXPECT_NE(message.find("`warpwright salvage {} -o "), std::string::npos) << message;
}

TEST_F(OpenTest, ALockedDatabaseIsReported) {
  make_database();
  Connection other(path_, Connection::Access::kCreate, 0, "x.db");
  // In WAL mode, a plain exclusive transaction still lets others read; this excludes every other
  // process.
  other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  const std::string expected =
      "{} is locked by another process; wait for it or use --db FILE for another database";
  EXPECT_EQ(open_message(), expected);
  EXPECT_EQ(open_message(OpenMode::kReadOnly), expected);
}

TEST_F(OpenTest, AWriterThatHoldsTheLockIsReportedWhenAddingATrial) {
  make_database();
  Database database(path_, OpenMode::kReadWrite, 10);
  Connection other(path_, Connection::Access::kCreate, 0, "x.db");
  other.execute("BEGIN EXCLUSIVE");
  EXPECT_EQ(message_of([&] { database.add_trial(testing::sample_trial()); }, path_),
            "{} is locked by another process; wait for it or use --db FILE for another database");
  other.execute("ROLLBACK");
  EXPECT_EQ(database.add_trial(testing::sample_trial()), 2);
}

TEST_F(OpenTest, AReadOnlyFolderIsReadable) {
  make_database(3);
  set_mode(0555);
  EXPECT_EQ(result_without_root(
                [&] { return std::to_string(Database(path_, OpenMode::kReadOnly).trial_count()); }),
            "3");
  set_mode(0755);
}

TEST_F(OpenTest, AReadOnlyFolderStillShowsTrialsThatAreOnlyInTheLog) {
  make_database(1);
  // A killed writer leaves its log behind.
  ChildProcess([&](int) {
    Database database = open();
    database.add_trial(testing::sample_trial());
    _exit(0);
  }).read_all();
  ASSERT_GT(fs::file_size(path_.string() + "-wal"), 0U);
  fs::remove(path_.string() + "-shm");
  set_mode(0555);
  EXPECT_EQ(result_without_root(
                [&] { return std::to_string(Database(path_, OpenMode::kReadOnly).trial_count()); }),
            "2");
  set_mode(0755);
}

TEST_F(OpenTest, AReadOnlyFileCannotBeSweptInto) {
  make_database();
  set_mode(0755);
  fs::permissions(path_, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const std::string message = result_without_root([&] { return open_message(); });
  EXPECT_EQ(message,
            "{} cannot be written: the file or its folder is read-only; make both writable or use "
            "--db FILE for another database");
}

TEST_F(OpenTest, AReadOnlyFolderCannotGetANewDatabase) {
  set_mode(0555);
  EXPECT_EQ(result_without_root([&] { return open_message(); }),
            "{} cannot be written: the file or its folder is read-only; make both writable or use "
            "--db FILE for another database");
  set_mode(0755);
}

TEST_F(OpenTest, AnUnreadableFileIsReported) {
  make_database();
  set_mode(0755);
  fs::permissions(path_, fs::perms::none);
  EXPECT_EQ(result_without_root([&] { return open_message(OpenMode::kReadOnly); }),
            "{} cannot be read: Permission denied; check its permissions");
}

TEST_F(OpenTest, OrdinaryPlacesGetAWriteAheadLog) {
  OpenedDatabase opened = open_for_writing(path_, 0);
  EXPECT_EQ(opened.connection.query_text("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(opened.connection.query_integer("PRAGMA synchronous"), 2);
  EXPECT_EQ(opened.connection.query_integer("PRAGMA foreign_keys"), 1);
}

// SQLite's dot-file layer has no shared memory, like some network file systems.
TEST_F(OpenTest, APlaceWithoutSharedMemoryGetsARollbackJournal) {
  OpenedDatabase opened = open_for_writing(path_, 0, "unix-dotfile");
  EXPECT_EQ(opened.connection.query_text("PRAGMA journal_mode"), "delete");
  EXPECT_EQ(opened.connection.query_integer("PRAGMA user_version"), Database::schema_version());
}

TEST_F(OpenTest, AWalDatabaseMovesToAPlaceWithoutSharedMemory) {
  make_database(2);
  OpenedDatabase opened = open_for_writing(path_, 0, "unix-dotfile");
  EXPECT_EQ(opened.connection.query_integer("SELECT count(*) FROM trial"), 2);
  EXPECT_EQ(opened.connection.query_text("PRAGMA journal_mode"), "delete");
}

}  // namespace
}  // namespace warpwright
