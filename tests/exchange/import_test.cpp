#include "exchange/import/import.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "exchange/gzip.h"
#include "exchange/import/result_file.h"
#include "exchange/sample_database.h"
#include "exchange/sample_t4.h"
#include "store/child_process.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Import : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] fs::path database() const { return file("x.db"); }
  ImportReport import(const std::vector<fs::path>& files, const ImportOptions& options = {}) const {
    return import_files(files, database(), options);
  }
  [[nodiscard]] std::uint64_t stored() const {
    return fs::exists(database()) ? Database(database(), OpenMode::kReadOnly).trial_count() : 0;
  }
  // The message about one file with this content, with {} for its path.
  [[nodiscard]] std::string refused(const std::string& content) const {
    write_bytes(file("kernel-X.json"), content);
    return message_of([&] { import({file("kernel-X.json")}); }, file("kernel-X.json"));
  }

  TemporaryFolder folder_;
};

TEST_F(Import, AFileIsKnownByItsContentWhateverItsName) {
  { SampleDatabase(file("results.json")).add(128, 10, 1); }
  write_bytes(file("blur-X100.db"), pack_gzip(read_file(sample_t4_path())));
  write_bytes(file("packed"), pack_gzip(read_file(file("results.json"))));
  const ImportReport report = import({file("results.json"), file("blur-X100.db"), file("packed")},
                                     {.kernel = "blur", .device = "X100"});
  EXPECT_EQ(report.files[0].format, "database");
  EXPECT_EQ(report.files[1].format, "T4");
  EXPECT_EQ(report.files[2].format, "database");
  EXPECT_EQ(report.merged.files[1].trials.added, 9u);
  EXPECT_EQ(report.merged.files[2].trials.known, 1u);
  EXPECT_EQ(stored(), 10u);
}

TEST_F(Import, TheSameResultsTwiceAreKnownAlsoUnderAnotherNameAndCompressed) {
  import({sample_t4_path()});
  write_bytes(file("blur-X100.gz"), pack_gzip(read_file(sample_t4_path())));
  const ImportReport again = import({file("blur-X100.gz"), sample_t4_path()});
  EXPECT_EQ(again.merged.files[0].trials.added, 0u);
  EXPECT_EQ(again.merged.files[0].trials.known, 9u);
  EXPECT_EQ(again.merged.files[0].runs.added, 0u);
  EXPECT_EQ(stored(), 9u);
  EXPECT_EQ(Database(database(), OpenMode::kReadOnly).runs().size(), 1u);
}

TEST_F(Import, BoardsOfImportedResultsSayWhereTheyComeFrom) {
  import({sample_t4_path()});
  const std::vector<Leaderboard> boards = boards_of(database());
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].imported, "blur-X100.json");
  EXPECT_EQ(boards[0].entries.size(), 4u);
  EXPECT_EQ(boards[0].entries[0].row.trial.configuration_text,
            "block=64 mode=shared radius=7 tile=4");
  EXPECT_EQ(boards[0].trials, 9u);
}

TEST_F(Import, ResultsOfAKernelOfOursLeaveItsBoardAlone) {
  { SampleDatabase(database()).add(128, 10, 1); }
  const auto before = shown(database());
  import({sample_t4_path()}, {.kernel = "softmax_topk", .device = "NVIDIA H200"});
  const std::vector<Leaderboard> boards = boards_of(database());
  ASSERT_EQ(boards.size(), 2u);
  const Leaderboard& ours = boards[boards[0].imported ? 1 : 0];
  EXPECT_FALSE(ours.imported);
  EXPECT_EQ(ours.outdated, 0u);
  EXPECT_EQ(ours.stale, 0u);
  EXPECT_EQ(ours.entries.size(), 1u);
}

TEST_F(Import, OneBadFileLeavesTheDatabaseAsItWas) {
  write_bytes(file("bad-X.json"), "{\"results\": [{}]}");
  EXPECT_THAT(message_of([&] {
                import({sample_t4_path(), file("bad-X.json")});
              }),
              HasSubstr("configuration is missing"));
  EXPECT_FALSE(fs::exists(database())) << "not even made";
}

TEST_F(Import, WhatIsNeitherIsRefused) {
  EXPECT_EQ(refused(""), "{} is empty");
  EXPECT_EQ(
      refused("kernel,device\n"),
      "{}: expected a warpwright database or a T4 file of results (JSON), plain or compressed "
      "with gzip; it is neither");
  EXPECT_EQ(refused(pack_gzip("")), "{} is empty\n  unpacked from {}");
  EXPECT_EQ(message_of([&] { import({file("none")}); }, file("none")), "no such file: {}");
  EXPECT_EQ(message_of([&] { import({folder_.path()}); }, folder_.path()),
            "{} is a folder, expected a file of results");
  EXPECT_THAT(refused(std::string("SQLite format 3\0 but no more than that", 38)),
              HasSubstr("is truncated"));
}

TEST_F(Import, AFaultInACompressedDatabaseNamesTheFileGiven) {
  std::string bytes = pack_gzip(std::string("SQLite format 3\0", 16) + std::string(200, 'x'));
  EXPECT_THAT(refused(bytes), HasSubstr("unpacked from {}"));
  EXPECT_THAT(refused(bytes.substr(0, 30)), HasSubstr("{}: the gzip data is truncated"));
}

// Damage that would break a merge is reported before it begins.
TEST_F(Import, ADatabaseThatWasChangedByHandIsRefusedWhereItIsBroken) {
  { SampleDatabase(file("a.db")).add(128, 10, 1); }
  const auto refused_after = [&](const char* change) {
    fs::copy_file(file("a.db"), file("b.db"), fs::copy_options::overwrite_existing);
    Connection connection(file("b.db"), Connection::Access::kCreate, 0, "b.db");
    connection.execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF");
    connection.execute(change);
    return message_of([&] { import({file("b.db")}); }, file("b.db"));
  };
  const std::string fix = "; `warpwright salvage` saves what is left of a database";
  EXPECT_EQ(refused_after("UPDATE trial SET counters = 'none'"),
            "{} is damaged: CHECK constraint failed in trial" + fix);
  EXPECT_EQ(refused_after("UPDATE trial SET problem_id = 7"),
            "{} is damaged: row 1 of table trial refers to a missing row of table problem" + fix);
}

TEST_F(Import, ARankingOfSeveralBoardsIsRefused) {
  {
    SampleDatabase sample(file("a.db"));
    sample.rank({sample.add(128, 10, 1), sample.add(256, 11, 2)}, 10, 3);
  }
  Connection(file("a.db"), Connection::Access::kCreate, 0, "a.db")
      .execute(std::string(kForgetChecksums) +
               "UPDATE trial SET protocol = 'another' WHERE id = 2");
  EXPECT_EQ(message_of([&] { import({file("a.db")}); }, file("a.db")),
            "{} is damaged: ranking 1 is of trials that are not on one board; take it out with "
            "sqlite3: DELETE FROM ranking WHERE id = 1");
}

TEST_F(Import, OptionsOfT4FilesAreRefusedForDatabasesAlone) {
  { SampleDatabase(file("a.db")).add(128, 10, 1); }
  EXPECT_EQ(message_of([&] { import({file("a.db")}, {.kernel = "x"}); }),
            "--kernel names what a T4 file does not say; a database says it itself");
}

TEST_F(Import, MergeTakesDatabasesOnly) {
  EXPECT_EQ(message_of([&] { merge_files({sample_t4_path()}, database()); }, sample_t4_path()),
            "{} is not a database; `warpwright import {}` reads other results");
}

// Writes a T4 file with this many results.
std::string many_results(int count) {
  std::string text = "{\"results\": [";
  for (int i = 0; i < count; ++i) {
    text += fmt::format(R"({}{{"configuration": {{"n": {}}}, "times": {{"runtimes": [1, 2, 3]}}, )"
                        R"("invalidity": "correct", "correctness": 1}})",
                        i == 0 ? "" : ",", i);
  }
  return text + "]}";
}

TEST_F(Import, KilledAtAnyMomentItLeavesEverythingOrNothing) {
  write_bytes(file("k-X.json"), many_results(3000));
  { SampleDatabase(database()).add(128, 10, 1); }
  std::set<std::uint64_t> seen;
  for (const int wait_us : {1000, 20'000, 60'000, 100'000, 150'000, 250'000, 2'000'000}) {
    {
      ChildProcess child([&](int out) {
        ChildProcess::say(out, "started");
        import({file("k-X.json")});
        ChildProcess::say(out, " done");
      });
      child.wait_for_output();
      ::usleep(static_cast<useconds_t>(wait_us));
    }
    const std::uint64_t trials = stored();
    EXPECT_TRUE(trials == 1 || trials == 3001) << trials;
    EXPECT_EQ(Database(database(), OpenMode::kReadOnly).integrity(), "ok");
  }
  import({file("k-X.json")});
  EXPECT_EQ(stored(), 3001u);
}

TEST_F(Import, AFullDiskLeavesTheDatabaseAsItWas) {
  write_bytes(file("k-X.json"), many_results(3000));
  { SampleDatabase(database()).add(128, 10, 1); }
  std::string said = ChildProcess([&](int out) {
                       signal(SIGXFSZ, SIG_IGN);
                       const rlimit limit{400000, 400000};
                       setrlimit(RLIMIT_FSIZE, &limit);
                       import({file("k-X.json")});
                       ChildProcess::say(out, "done");
                     }).read_all();
  EXPECT_THAT(said, HasSubstr("disk is full: " + database().string()));
  EXPECT_EQ(stored(), 1u);
  EXPECT_EQ(Database(database(), OpenMode::kReadOnly).integrity(), "ok");
}

// The published results, exhaustive tunings of one kernel on three GPUs.
class PublishedT4 : public Import {
 protected:
  void SetUp() override {
    const char* data = std::getenv("WARPWRIGHT_PUBLIC_DATA");
    if (data == nullptr)
      GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA is not set: the published results are not here";
    folder_t4_ = fs::path(data) / "t4";
  }
  // A file's content, read without the code under test except for gzip.
  [[nodiscard]] nlohmann::json said(const std::string& name) const {
    std::string text;
    unpack_gzip(folder_t4_ / name, [&](std::string_view piece) { text += piece; });
    return nlohmann::json::parse(text);
  }
  fs::path folder_t4_;
};

TEST_F(PublishedT4, EveryResultIsThereWithItsTimesAndFailures) {
  for (const std::string device : {"A100", "A4000", "MI250X"}) {
    const std::string name = "convolution_milo-" + device + ".json.gz";
    const nlohmann::json results = said(name)["results"];
    const ImportReport report = import({folder_t4_ / name});
    EXPECT_EQ(report.merged.files[0].trials.added, results.size());
    EXPECT_TRUE(report.files[0].notes.empty());

    std::map<std::string, nlohmann::json> expected;  // by configuration
    for (const nlohmann::json& result : results) expected[result["configuration"].dump()] = result;
    ASSERT_EQ(expected.size(), results.size());
    std::string best;
    double best_ms = std::numeric_limits<double>::infinity();
    const Database stored(database(), OpenMode::kReadOnly);
    std::size_t failed = 0, seen = 0;
    for (const auto& row : stored.trials({.with_samples = true})) {
      if (row.device_name != device) continue;
      ++seen;
      const nlohmann::json& result = expected.at(row.trial.parameters.text());
      if (result["invalidity"] != "correct") {
        ++failed;
        EXPECT_EQ(row.trial.status, result["invalidity"] == "compile" ? Status::kCompileFailed
                                                                      : Status::kLaunchFailed);
        EXPECT_EQ(row.trial.reason, result["measurements"][0]["value"].get<std::string>());
        continue;
      }
      std::vector<double> runtimes = result["times"]["runtimes"];
      ASSERT_EQ(row.trial.samples_us.size(), runtimes.size());
      EXPECT_FLOAT_EQ(static_cast<float>(row.trial.samples_us[3]),
                      static_cast<float>(runtimes[3] * 1e3));
      std::sort(runtimes.begin(), runtimes.end());
      const double median_ms = (runtimes[15] + runtimes[16]) / 2;
      ASSERT_NEAR(*row.trial.median_us, median_ms * 1e3, 1e-9 * median_ms * 1e3);
      if (median_ms < best_ms) {
        best_ms = median_ms;
        best = row.trial.configuration_text;
      }
    }
    EXPECT_EQ(seen, 4362u);
    EXPECT_EQ(failed, device == "MI250X" ? 0u : 161u);
    for (const Leaderboard& board : boards_of(database())) {
      if (board.device_name != device) continue;
      EXPECT_EQ(board.imported, name);
      EXPECT_DOUBLE_EQ(board.entries[0].median_us, best_ms * 1e3);
      EXPECT_EQ(board.entries[0].row.trial.configuration_text, best);
      EXPECT_EQ(board.entries.size() + failed, 4362u);
    }
  }
}

TEST(CommittedResults, ImportAndShow) {
  const fs::path committed =
      fs::path(WARPWRIGHT_SOURCE_DIR) / "results" / "nvidia-h200" / "fused" / "warpwright.db.gz";
  const TemporaryFolder folder;
  const ImportReport report = import_files({committed}, folder.path() / "x.db", {});
  EXPECT_GT(report.merged.files[0].trials.added, 1000u);
  EXPECT_EQ(report.merged.files[0].trials.known, 0u);
  write_bytes(folder.path() / "whole.db", "");
  std::string bytes;
  unpack_gzip(committed, [&](std::string_view piece) { bytes += piece; });
  write_bytes(folder.path() / "whole.db", bytes);
  EXPECT_EQ(shown(folder.path() / "x.db"), shown(folder.path() / "whole.db"));
}

}  // namespace
}  // namespace warpwright::testing
