// Files of results that were made to do harm, given to import and merge: each is refused by name,
// or the parts left out of it are reported, and the target stays unchanged.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "core/error.h"
#include "exchange/import/import.h"
#include "exchange/sample_database.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class HostileImport : public ::testing::Test {
 protected:
  HostileImport() {
    { SampleDatabase(ours_).add(64, 10, 1); }
    SampleDatabase sample(foreign_);
    const RowId first = sample.add(128, 11, 2);
    sample.rank({first, sample.add(256, 12, 3)}, 10.5, 9);
    sample.add_ceiling(4000, 5);
  }
  // Edits with plain SQLite, without the guards.
  void edit(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(foreign_.c_str(), &handle), SQLITE_OK);
    char* fault = nullptr;
    const std::string all = std::string(kForgetChecksums) +
                            "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;" +
                            sql;
    sqlite3_exec(handle, all.c_str(), nullptr, nullptr, &fault);
    EXPECT_EQ(fault, nullptr) << fault;
    sqlite3_free(fault);
    sqlite3_close(handle);
  }
  // The message of both verbs about the file, with {} for its path; also checks that the target is
  // unchanged.
  [[nodiscard]] std::string refused(const std::string& sql) const {
    edit(sql);
    const auto before = content(ours_);
    std::string text = "no error";
    try {
      import_files({foreign_}, ours_, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      text = message_of([&] { merge_files({foreign_}, ours_); }, foreign_);
    }
    EXPECT_EQ(content(ours_), before);
    return text;
  }

  TemporaryFolder folder_;
  fs::path ours_ = folder_.path() / "ours.db", foreign_ = folder_.path() / "foreign.db";
};

constexpr const char* kLeaveOut = "; `warpwright salvage` makes a database without such rows";
constexpr const char* kSaveRest = "; `warpwright salvage` saves what is left of a database";

TEST_F(HostileImport, AWholeFileIsTaken) {
  import_files({foreign_}, ours_, {});
  EXPECT_EQ(Database(ours_, OpenMode::kReadOnly).trial_count(), 3U);
}

TEST_F(HostileImport, TimesThatAreNone) {
  EXPECT_EQ(refused("UPDATE trial SET median_us = 9e999 WHERE id = 2"),
            std::string("{}: table 'trial', row 2: median_us is inf, expected a finite positive "
                        "time") +
                kLeaveOut);
  EXPECT_EQ(
      refused("UPDATE trial SET median_us = 0"),
      std::string("{}: table 'trial', row 1: median_us is 0, expected a finite positive time") +
          kLeaveOut);
  EXPECT_EQ(refused("UPDATE trial SET median_us = -4.5"),
            std::string("{}: table 'trial', row 1: median_us is -4.5, expected a finite positive "
                        "time") +
                kLeaveOut);
}

TEST_F(HostileImport, RankingsAndCeilings) {
  EXPECT_EQ(refused("UPDATE ceiling SET value = 9e999"),
            std::string("{}: table 'ceiling', row 1: value is inf, expected a finite number of at "
                        "least 0") +
                kLeaveOut);
  edit("UPDATE ceiling SET value = 1");
  EXPECT_EQ(refused("UPDATE ranking_entry SET place = -1 WHERE place = 2"),
            std::string("{}: table 'ranking_entry', row 2: place is -1, expected a place from 1 to "
                        "1,000,000") +
                kLeaveOut);
}

// Both verbs name the value, and import nothing.
TEST_F(HostileImport, ChecksumsNamesAndTexts) {
  EXPECT_EQ(refused("UPDATE device SET name = 'a' || char(10) || 'b'"),
            std::string("{}: table 'device', row 1: name is 'a\\nb', expected a text of at most 64 "
                        "KiB without control characters") +
                kLeaveOut);
  EXPECT_EQ(
      refused("UPDATE device SET name = 'a'; UPDATE configuration SET text = 'threshold "
              "THREADS=64' WHERE id = 1"),
      std::string("{}: table 'configuration', row 1: text is 'threshold THREADS=64', expected "
                  "the names and values of values, '{\"THREADS\":128}'") +
          kLeaveOut);
}

TEST_F(HostileImport, AChangedNumber) {
  Connection(foreign_, Connection::Access::kCreate, 0, "x.db")
      .execute("UPDATE trial SET median_us = median_us + 0.25 WHERE id = 2");
  EXPECT_EQ(message_of([&] { merge_files({foreign_}, ours_); }, foreign_),
            std::string("{}: table 'trial', row 2: does not match its checksum: a value in it was "
                        "changed after it was stored") +
                kLeaveOut);
}

TEST_F(HostileImport, KeysToNowhere) {
  EXPECT_EQ(refused("UPDATE trial SET kernel_id = 99 WHERE id = 2"),
            std::string("{} is damaged: row 2 of table trial refers to a missing row of table "
                        "kernel") +
                kSaveRest);
}

TEST_F(HostileImport, NullsAndTypes) {
  EXPECT_EQ(refused("UPDATE trial SET modelled = 7"),
            std::string("{} is damaged: CHECK constraint failed in trial") + kSaveRest);
  edit("UPDATE trial SET modelled = 0");
  EXPECT_EQ(refused("UPDATE trial SET key = X'00ff' WHERE id = 1"),
            std::string("{}: table 'trial', row 1: key is a blob of 2 bytes, expected a text of at "
                        "most 64 KiB without control characters") +
                kLeaveOut);
}

TEST_F(HostileImport, ABlobAsJson) {
  EXPECT_EQ(refused("UPDATE problem SET sizes = X'7b7d'"),
            std::string("{} is damaged: CHECK constraint failed in problem") + kSaveRest);
}

TEST_F(HostileImport, ARankingOfOneTrialTwice) {
  // Two rows with equal content count as one trial.
  EXPECT_EQ(
      refused(
          "INSERT INTO trial SELECT 9, key, run_id, kernel_id, device_id, problem_id, "
          "configuration_id, status, reason, median_us, ci_low_us, ci_high_us, modelled, "
          "protocol, resources, counters, errors, options, cubin_hash, compile_seconds, "
          "validate_seconds, measure_seconds, sm_clock_mhz, work_bytes, work_flops, "
          "started_utc, floor_us, at_least_us, raw_median_us, same_as, measurement, "
          "work_bytes_written, arithmetic, NULL FROM trial WHERE id = 1;"
          "INSERT INTO sample SELECT 9, count, encoding, data, NULL FROM sample WHERE trial_id = "
          "1; UPDATE ranking_entry SET trial_id = 9 WHERE place = 2"),
      "{} is damaged: ranking 1 is of two trials that are one; take it out with sqlite3: "
      "DELETE FROM ranking WHERE id = 1");
}

TEST_F(HostileImport, TriggersAndViewsTakeNothingFromUs) {
  edit(
      "CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM trial; END;"
      "CREATE TRIGGER u AFTER UPDATE ON run BEGIN DELETE FROM trial; END;"
      "CREATE TRIGGER d AFTER DELETE ON ranking BEGIN DELETE FROM trial; END;"
      "DROP VIEW v_leaderboard; CREATE VIEW v_leaderboard AS SELECT 1 / 0");
  // Once as the file that is read, and once as the target.
  const fs::path copy = folder_.path() / "copy.db";
  fs::copy_file(foreign_, copy);
  import_files({foreign_}, ours_, {});
  import_files({ours_}, copy, {});
  EXPECT_EQ(Database(ours_, OpenMode::kReadOnly).trial_count(), 3U);
  EXPECT_EQ(Database(copy, OpenMode::kReadOnly).trial_count(), 3U);
}

TEST_F(HostileImport, FilesThatAreNoDatabases) {
  const auto said = [&](const std::string& bytes) {
    write_bytes(foreign_, bytes);
    fs::remove(foreign_.string() + "-wal");
    return message_of([&] { import_files({foreign_}, ours_, {}); }, foreign_);
  };
  const std::string whole = bytes_of(foreign_);
  EXPECT_EQ(said(""), "{} is empty");
  EXPECT_THAT(said("results: none\n"),
              HasSubstr("{}: expected a warpwright database or a T4 file"));
  EXPECT_THAT(said(whole.substr(0, whole.size() / 2)),
              HasSubstr("{} is damaged: it is truncated: "));
  EXPECT_EQ(Database(ours_, OpenMode::kReadOnly).trial_count(), 1U);
}

TEST_F(HostileImport, AVersionOfTheFuture) {
  EXPECT_EQ(refused("PRAGMA user_version = 9999"),
            fmt::format("{{}}: schema 9999 was written by a newer warpwright; this one reads {}; "
                        "update it",
                        Database::schema_version()));
}

// --- T4 ---

class HostileT4 : public HostileImport {
 protected:
  [[nodiscard]] fs::path t4() const { return folder_.path() / "kernel-X.json"; }
  [[nodiscard]] std::string said(const std::string& result) const {
    write_bytes(t4(), R"({"metadata": {"timeunit": "microseconds"}, "results": [)" + result + "]}");
    return message_of([&] { import_files({t4()}, ours_, {}); }, t4());
  }
};

TEST_F(HostileT4, TimesOfOursThatAreNone) {
  EXPECT_EQ(
      said(R"({"configuration": {"A": 1}, "warpwright": {"status": "ok", "median_us": 0}})"),
      "kernel-X.json: results[0].warpwright.median_us: expected a finite positive time, got 0");
  EXPECT_EQ(said(R"({"configuration": {"A": 1}, "warpwright": {"status": "ok", "median_us": 5,
                     "ci_low_us": 6, "ci_high_us": 7}})"),
            "kernel-X.json: results[0].warpwright: expected ci_low_us <= median_us <= ci_high_us, "
            "got 6, 5 and 7");
  EXPECT_EQ(said(R"({"configuration": {"A": 1}, "warpwright": {"status": "ok", "median_us": 5,
                     "work_bytes": -1}})"),
            "kernel-X.json: results[0].warpwright.work_bytes: expected a finite number of at least "
            "0, got -1");
}

TEST_F(HostileT4, NamesWithControlCharacters) {
  EXPECT_EQ(
      said(R"({"configuration": {"A\nfake: line": 1}})"),
      "kernel-X.json: results[0].configuration is 'A\\nfake: line=1', expected a name without "
      "control characters; rename it in the file");
  EXPECT_EQ(message_of([&] {
              write_bytes(t4(), R"({"metadata": {"timeunit": "microseconds"}, "results": []})");
              ImportOptions options;
              options.kernel = "a\x1b[2J";
              import_files({t4()}, ours_, options);
            }),
            "kernel-X.json: the kernel is 'a\\x1b[2J', expected a name without control characters; "
            "rename it in the file");
  EXPECT_EQ(message_of([&] {
              write_bytes(t4(), R"({"metadata": {"timeunit": "microseconds",
                                    "warpwright": {"arch": "sm\u0000"}}, "results": []})");
              ImportOptions options;
              options.kernel = "a";
              import_files({t4()}, ours_, options);
            }),
            "kernel-X.json: metadata's arch is 'sm\\x00', expected a name without control "
            "characters; rename it in the file");
}

TEST_F(HostileT4, ATextThatSaysOtherSizesIsRefused) {
  write_bytes(t4(), R"({"metadata": {"timeunit": "microseconds", "problem": "n=1",
                         "warpwright": {"problem": {"n": 2}}}, "results": []})");
  EXPECT_EQ(message_of([&] { import_files({t4()}, ours_, {}); }),
            "kernel-X.json: metadata.problem is 'n=1', expected the names and values of "
            "metadata.warpwright.problem, {\"n\":2}");
}

TEST_F(HostileT4, TimesThatAreNoneAreLeftOut) {
  EXPECT_EQ(said(R"({"configuration": {"A": 1}, "times": {"runtimes": [-1, 0, 1e-320, 5],
                     "compilation": -3, "validation": 1e308}})"),
            "no error");
  const Database database(ours_, OpenMode::kReadOnly);
  const auto rows = database.trials({.kernel = "kernel", .with_samples = true});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].trial.median_us, 5);
  EXPECT_EQ(rows[0].trial.samples_us, std::vector<double>{5});
  EXPECT_EQ(rows[0].trial.compile_seconds, 0);
  EXPECT_EQ(database.broken_row(), std::nullopt);
}

TEST_F(HostileT4, AConfigurationOfMegabytes) {
  EXPECT_EQ(said(R"({"configuration": {"A": ")" + std::string(100000, 'x') + R"("}})"),
            "kernel-X.json: results[0].configuration: expected at most 65536 bytes, got 100002");
}

}  // namespace
}  // namespace warpwright::testing
