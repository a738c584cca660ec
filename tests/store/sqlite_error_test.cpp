#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cerrno>

#include "store/sqlite.h"

namespace warpwright {
namespace {

constexpr const char* kPath = "results/x.db";

std::string message(int code, int system_errno = 0, std::optional<std::uint64_t> committed = {}) {
  return sqlite_error({kPath, code, "what sqlite said", system_errno, committed}).what();
}

TEST(SqliteError, BusyNamesTheOtherProcess) {
  EXPECT_EQ(message(SQLITE_BUSY),
            "results/x.db is locked by another process; wait for it or use --db FILE for another "
            "database");
  EXPECT_EQ(message(SQLITE_BUSY_RECOVERY), message(SQLITE_BUSY));
  EXPECT_EQ(message(SQLITE_LOCKED), message(SQLITE_BUSY));
}

TEST(SqliteError, ReadOnlyPlace) {
  EXPECT_EQ(message(SQLITE_READONLY),
            "results/x.db cannot be written: the file or its folder is read-only; make both "
            "writable or use --db FILE for another database");
  EXPECT_EQ(message(SQLITE_READONLY_DIRECTORY), message(SQLITE_READONLY));
}

TEST(SqliteError, FileThatWasMovedAway) {
  EXPECT_EQ(message(SQLITE_READONLY_DBMOVED, 0, 7),
            "results/x.db was moved or deleted while it was in use; 7 trials committed so far are "
            "safe; put it back or run the command again");
}

TEST(SqliteError, CannotOpenGivesTheSystemsReason) {
  EXPECT_EQ(
      message(SQLITE_CANTOPEN, EACCES),
      "results/x.db cannot be opened: Permission denied; check the folder and its permissions "
      "or use --db FILE for another database");
  EXPECT_EQ(message(SQLITE_CANTOPEN),
            "results/x.db cannot be opened: what sqlite said; check the folder and its permissions "
            "or use --db FILE for another database");
}

TEST(SqliteError, FullDiskSaysWhatIsSafe) {
  EXPECT_EQ(message(SQLITE_FULL, ENOSPC, 41),
            "disk is full: results/x.db: No space left on device; 41 trials committed so far are "
            "safe; free some space and run the same command again, it resumes");
}

TEST(SqliteError, FullDiskCountsOneTrialInTheSingular) {
  EXPECT_EQ(message(SQLITE_FULL, 0, 1),
            "disk is full: results/x.db: no room for another trial; 1 trial committed so far is "
            "safe; free some space and run the same command again, it resumes");
}

TEST(SqliteError, WhatAForeignSchemaMayNotDoIsAFaultOfTheFile) {
  for (const char* detail : {"access to view \"trial\" prohibited", "unsafe use of json()"}) {
    const Error error = sqlite_error({kPath, SQLITE_ERROR, detail, 0, {}});
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_EQ(error.message(), std::string("results/x.db is damaged: ") + detail +
                                   "; save what is left with `warpwright salvage results/x.db -o "
                                   "results/x-recovered.db`, then use --db results/x-recovered.db");
  }
}

TEST(SqliteError, AValueBeyondTheLimitIsAFaultOfTheFile) {
  EXPECT_EQ(message(SQLITE_TOOBIG),
            "results/x.db: a row with a text or blob of more than 256 MiB, which nothing of "
            "warpwright's comes near; take it out, or use --db FILE for another database");
}

TEST(SqliteError, QuotaIsAFullDisk) {
  EXPECT_EQ(message(SQLITE_IOERR_WRITE, EDQUOT, 2),
            "disk is full: results/x.db: Disk quota exceeded; 2 trials committed so far are safe; "
            "free some space and run the same command again, it resumes");
}

TEST(SqliteError, OtherDiskFaults) {
  EXPECT_EQ(
      message(SQLITE_IOERR_FSYNC, EIO, 3),
      "results/x.db: the disk failed: Input/output error; 3 trials committed so far are safe; "
      "check the disk and run the same command again, it resumes");
}

TEST(SqliteError, NotADatabase) {
  EXPECT_EQ(message(SQLITE_NOTADB),
            "results/x.db is not a Warpwright database: what sqlite said; it was left untouched; "
            "use --db FILE for another database");
}

TEST(SqliteError, DamageNamesTheCommandThatSavesWhatIsLeft) {
  EXPECT_EQ(message(SQLITE_CORRUPT),
            "results/x.db is damaged: what sqlite said; save what is left with `warpwright salvage "
            "results/x.db -o results/x-recovered.db`, then use --db results/x-recovered.db");
}

TEST(SqliteError, AMissingColumnIsDamage) {
  const Error error = sqlite_error({kPath, SQLITE_ERROR, "no such column: driver", 0, {}});
  EXPECT_STREQ(
      error.what(),
      "results/x.db is damaged: no such column: driver; save what is left with `warpwright "
      "salvage results/x.db -o results/x-recovered.db`, then use --db "
      "results/x-recovered.db");
  EXPECT_EQ(error.fault(), Fault::kUser);
}

TEST(SqliteError, OutOfMemory) {
  EXPECT_EQ(message(SQLITE_NOMEM), "results/x.db: out of memory; free some memory and run again");
}

TEST(SqliteError, AnythingElseIsOurFault) {
  const Error error = sqlite_error({kPath, SQLITE_CONSTRAINT_CHECK, "CHECK failed", 0, {}});
  EXPECT_STREQ(error.what(), "results/x.db: SQLite error 275: CHECK failed; please report this");
  EXPECT_EQ(error.fault(), Fault::kInternal);
}

TEST(SqliteError, FaultsTellWhoMustAct) {
  const auto fault = [](int code) { return sqlite_error({kPath, code, "", 0, {}}).fault(); };
  EXPECT_EQ(fault(SQLITE_NOTADB), Fault::kUser);
  EXPECT_EQ(fault(SQLITE_CORRUPT), Fault::kUser);
  EXPECT_EQ(fault(SQLITE_BUSY), Fault::kEnvironment);
  EXPECT_EQ(fault(SQLITE_READONLY), Fault::kEnvironment);
  EXPECT_EQ(fault(SQLITE_FULL), Fault::kEnvironment);
}

}  // namespace
}  // namespace warpwright
