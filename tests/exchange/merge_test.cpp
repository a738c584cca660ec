#include "exchange/merge/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <random>

#include "exchange/import/import.h"
#include "exchange/sample_database.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Merge : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }
  // Merges files into a new one.
  MergeReport merge(const std::vector<std::string>& names, const std::string& out) const {
    std::vector<fs::path> files;
    for (const std::string& name : names) files.push_back(file(name));
    return merge_files(files, file(out));
  }
  // Copies a file, so that it can be merged into.
  void copy(const std::string& from, const std::string& to) const {
    fs::copy_file(file(from), file(to));
  }
  void expect_intact(const std::string& name) const {
    EXPECT_EQ(Database(file(name), OpenMode::kReadOnly).integrity(), "ok");
  }

  TemporaryFolder folder_;
};

TEST_F(Merge, OfOneDatabaseKeepsItsContentAndItsBoards) {
  {
    SampleDatabase a(file("a.db"));
    const RowId best = a.add(128, 10, 1);
    a.add_twin(256, best, 10, 2);
    const RowId second = a.add(512, 10.2, 3);
    a.add_failed(1024, Status::kWrongResult, 4);
    a.rank({second, best}, 9.9, 5);
    a.add_ceiling(4400, 6);
  }
  const MergeReport report = merge({"a.db"}, "out.db");
  EXPECT_EQ(content(file("out.db")), content(file("a.db")));
  EXPECT_EQ(shown(file("out.db")), shown(file("a.db")));
  expect_intact("out.db");
  const MergedFile& counts = report.files.at(0);
  EXPECT_EQ(counts.trials.added, 4u);
  EXPECT_EQ(counts.trials.known, 0u);
  EXPECT_EQ(counts.rankings.added, 1u);
  EXPECT_EQ(counts.ceilings.added, 1u);
  EXPECT_EQ(counts.devices.added, 1u);
  EXPECT_EQ(counts.runs.added, 1u);
}

// Columns that hold JSON of a shape that no value has: operations that do not need them are
// unaffected, and a merge needs none of them.
TEST_F(Merge, DamagedColumnsTravelAsTheyAre) {
  {
    SampleDatabase a(file("a.db"));
    const RowId best = a.add(128, 10, 1);
    const RowId second = a.add(512, 10.2, 3);
    a.rank({second, best}, 9.9, 5);
  }
  for (const auto& [table, column] :
       std::vector<std::pair<std::string, std::string>>{{"trial", "resources"},
                                                        {"trial", "counters"},
                                                        {"trial", "errors"},
                                                        {"trial", "measurement"},
                                                        {"trial", "options"},
                                                        {"ranking", "headline"},
                                                        {"configuration", "values"},
                                                        {"problem", "sizes"},
                                                        {"device", "details"}}) {
    const std::string damaged = column + "-in.db", out = column + "-out.db";
    copy("a.db", damaged);
    Connection(file(damaged), Connection::Access::kCreate, 0, damaged)
        .execute(std::string(kForgetChecksums) + "UPDATE " + table + " SET \"" + column +
                 "\" = '7' WHERE id = 1");
    const MergeReport report = merge({damaged}, out);
    EXPECT_EQ(report.files.at(0).trials.added, 2u) << column;
    EXPECT_EQ(content(file(out)), content(file(damaged))) << column;
    expect_intact(out);
    EXPECT_EQ(merge({damaged}, out).files.at(0).trials.added, 0u) << column << ": once is enough";
  }
}

// A column that a later schema adds to a record must not get lost here.
TEST_F(Merge, EveryMemberOfEveryRecordTravels) {
  {
    SampleDatabase a(file("a.db"));
    const RowId trial = a.database().add_trial(sample_trial());
    a.rank({trial}, 9.9, 5);
    a.add_ceiling(4400, 6);
    a.database().put_contract_check(sample_contract_check());
    a.database().finish_run(1, "complete", "2026-03-01T14:00:00Z");
  }
  merge({"a.db"}, "out.db");
  const Snapshot before = read_snapshot(Database(file("a.db"), OpenMode::kReadOnly));
  const Snapshot after = read_snapshot(Database(file("out.db"), OpenMode::kReadOnly));
  // There is one of each, so that their numbers are equal too.
  EXPECT_TRUE(after.devices == before.devices);
  EXPECT_TRUE(after.kernels == before.kernels);
  EXPECT_TRUE(after.runs == before.runs);
  EXPECT_TRUE(after.trials == before.trials);
  EXPECT_TRUE(after.rankings == before.rankings);
  EXPECT_TRUE(after.ceilings == before.ceilings);
  EXPECT_TRUE(after.contract_checks == before.contract_checks);
}

TEST_F(Merge, ContractChecksStayWithTheirRunAndKernel) {
  const auto without_remarks = [](RowId run, RowId kernel) {
    ContractCheckRecord check = sample_contract_check(run, kernel);
    check.remarks = std::vector<ContractRemark>();
    return check;
  };
  {
    SampleDatabase a(file("a.db"));
    a.database().put_contract_check(sample_contract_check());
  }
  {
    SampleDatabase b(file("b.db"));
    b.start_run("2026-03-01T11:00:00Z");  // before that of both
    b.use_kernel("hash-2");
    b.database().put_contract_check(without_remarks(2, 2));
    b.database().put_contract_check(sample_contract_check());
  }
  merge({"a.db", "b.db"}, "ab.db");
  merge({"b.db", "a.db"}, "ba.db");
  merge({"ab.db", "a.db"}, "again.db");
  EXPECT_EQ(content(file("ab.db")), content(file("ba.db")));
  EXPECT_EQ(content(file("ab.db")), content(file("again.db")));
  expect_intact("ab.db");
  const Database merged(file("ab.db"), OpenMode::kReadOnly);
  const auto rows = merged.contract_checks();
  ASSERT_EQ(rows.size(), 2U);
  const std::pair<RowId, RunRecord> first = merged.runs().at(0);
  EXPECT_EQ(first.second.started_utc, "2026-03-01T11:00:00Z");
  for (const Database::ContractCheckRow& row : rows) {
    EXPECT_EQ(row.contract_hash == "hash-2", row.check.run == first.first);
    EXPECT_EQ(row.contract_hash == "hash-2", row.check.remarks->empty());
  }
}

// A run that was copied while it ran.
TEST_F(Merge, OfTwoContractChecksOfOneRunOneStands) {
  {
    SampleDatabase a(file("a.db"));
    a.database().put_contract_check(sample_contract_check());
  }
  copy("a.db", "b.db");
  {
    Database b(file("b.db"));
    ContractCheckRecord more = sample_contract_check();
    ContractRemark second = sample_remark();
    second.code = RemarkCode::kMeanPasses;
    more.remarks = std::vector<ContractRemark>{sample_remark(), second};
    b.put_contract_check(more);
  }
  merge({"a.db", "b.db"}, "ab.db");
  merge({"b.db", "a.db"}, "ba.db");
  EXPECT_EQ(content(file("ab.db")), content(file("ba.db")));
  EXPECT_EQ(Database(file("ab.db"), OpenMode::kReadOnly).contract_checks().size(), 1U);
}

TEST_F(Merge, EqualRowsAreStoredOnce) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 10, 1);
    a.add(256, 11, 2);
  }
  copy("a.db", "b.db");
  {
    SampleDatabase b(file("c.db"));
    b.add(128, 10, 1);
    b.add(512, 12, 3);
  }
  const MergeReport report = merge({"a.db", "b.db", "c.db"}, "out.db");
  EXPECT_EQ(Database(file("out.db"), OpenMode::kReadOnly).trial_count(), 3u);
  EXPECT_EQ(report.files[0].trials.added, 2u);
  EXPECT_EQ(report.files[1].trials.added, 0u);
  EXPECT_EQ(report.files[1].trials.known, 2u);
  EXPECT_EQ(report.files[2].trials.added, 1u);
  EXPECT_EQ(report.files[2].trials.known, 1u);
  EXPECT_EQ(report.files[2].runs.known, 1u);
}

TEST_F(Merge, TheSampleIsPartOfWhatMakesTrialsEqual) {
  { SampleDatabase(file("a.db")).add(128, 10, 1); }
  { SampleDatabase(file("b.db")).add(128, 10.125, 1); }
  merge({"a.db", "b.db"}, "out.db");
  EXPECT_EQ(Database(file("out.db"), OpenMode::kReadOnly).trial_count(), 2u);
}

TEST_F(Merge, NewerTrialsReplaceOlderOnesWhicheverFileComesFirst) {
  { SampleDatabase(file("old.db")).add(128, 10, 1); }
  { SampleDatabase(file("new.db")).add(128, 20, 2); }
  merge({"old.db", "new.db"}, "x.db");
  merge({"new.db", "old.db"}, "y.db");
  for (const char* name : {"x.db", "y.db"}) {
    const auto boards = boards_of(file(name));
    ASSERT_EQ(boards.at(0).entries.size(), 1u);
    EXPECT_EQ(boards[0].entries[0].median_us, 20);
  }
}

TEST_F(Merge, TheOrderOfADatabaseStandsEvenWhereItsClockWasSetBack) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 10, 30);
    a.add(128, 11, 20);  // later, as the numbers say
    a.add(256, 12, 20);
    a.add(256, 13, 20);
  }
  { SampleDatabase(file("b.db")).add(512, 9, 25); }
  merge({"b.db", "a.db"}, "out.db");
  const auto boards = boards_of(file("out.db"));
  ASSERT_EQ(boards.at(0).entries.size(), 3u);
  EXPECT_EQ(boards[0].entries[1].median_us, 11);
  EXPECT_EQ(boards[0].entries[2].median_us, 13);
}

TEST_F(Merge, TheSourcesThatWereSweptLastAreCurrent) {
  {
    SampleDatabase a(file("a.db"));
    a.use_kernel("hash-2");
    a.add(128, 20, 10);
  }
  {
    SampleDatabase b(file("b.db"));
    b.use_kernel("hash-1");
    b.add(128, 10, 5);
  }
  merge({"a.db", "b.db"}, "x.db");
  merge({"b.db", "a.db"}, "y.db");
  for (const char* name : {"x.db", "y.db"}) {
    const auto boards = boards_of(file(name));
    ASSERT_EQ(boards.at(0).entries.size(), 1u) << name;
    EXPECT_EQ(boards[0].entries[0].median_us, 20) << name;
    EXPECT_EQ(boards[0].stale, 1u) << name;
  }
}

TEST_F(Merge, SourcesComeFromWhoeverHasThem) {
  {
    SampleDatabase a(file("a.db"));
    KernelRecord bare = sample_kernel("hash-3");
    bare.sources.clear();
    a.database().put_kernel(bare);
  }
  SampleDatabase(file("b.db")).use_kernel("hash-3");
  merge({"a.db", "b.db"}, "out.db");
  const Database out(file("out.db"), OpenMode::kReadOnly);
  for (const auto& [id, kernel] : out.kernels())
    EXPECT_EQ(out.kernel_sources(id).size(), 2u) << kernel.contract_hash;
}

TEST_F(Merge, ARunThatWasCopiedWhileItRanIsTheOneThatEnded) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 10, 1);
  }
  copy("a.db", "b.db");
  Database(file("b.db")).finish_run(1, "complete", "2026-03-01T14:00:00Z");
  for (const auto& names : {std::vector<std::string>{"a.db", "b.db"}, {"b.db", "a.db"}}) {
    const std::string out = names[0] + "-first.db";
    merge(names, out);
    const auto runs = Database(file(out), OpenMode::kReadOnly).runs();
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].second.ended, "complete");
  }
}

TEST_F(Merge, ARankingThatDidNotSeeAFasterTrialOfAnotherDatabaseLapses) {
  {
    SampleDatabase a(file("a.db"));
    const RowId first = a.add(128, 10, 10);
    const RowId second = a.add(256, 11, 11);
    a.rank({first, second}, 10, 12);
  }
  { SampleDatabase(file("b.db")).add(512, 5, 1); }  // before all of them
  { SampleDatabase(file("c.db")).add(512, 50, 1); }
  merge({"a.db", "b.db"}, "faster.db");
  const Leaderboard faster = boards_of(file("faster.db")).at(0);
  EXPECT_FALSE(faster.ranking);
  EXPECT_THAT(faster.lapsed_ranking, HasSubstr("threshold THREADS=512 was measured since"));
  EXPECT_EQ(faster.entries[0].median_us, 5);
  merge({"a.db", "c.db"}, "slower.db");
  EXPECT_TRUE(boards_of(file("slower.db")).at(0).ranking);
  // A lapsed ranking stays lapsed when it is merged again with the trials that it had seen.
  merge({"faster.db", "a.db"}, "again.db");
  EXPECT_EQ(shown(file("again.db")), shown(file("faster.db")));
}

TEST_F(Merge, TheNewestRankingDecides) {
  {
    SampleDatabase a(file("a.db"));
    const RowId first = a.add(128, 10, 10);
    const RowId second = a.add(256, 11, 11);
    a.rank({first, second}, 10, 12);
  }
  copy("a.db", "b.db");
  {
    SampleDatabase b(file("b.db"));
    b.rank({2, 1}, 9, 20);
  }
  for (const auto& names : {std::vector<std::string>{"a.db", "b.db"}, {"b.db", "a.db"}}) {
    const std::string out = names[0] + "-first.db";
    merge(names, out);
    const Leaderboard board = boards_of(file(out)).at(0);
    ASSERT_TRUE(board.ranking);
    EXPECT_EQ(board.entries[0].row.trial.configuration_text, "threshold THREADS=256");
    expect_intact(out);
  }
}

TEST_F(Merge, TheNewestCeilingCounts) {
  SampleDatabase(file("a.db")).add_ceiling(4400, 10);
  SampleDatabase(file("b.db")).add_ceiling(4300, 20);
  for (const auto& names : {std::vector<std::string>{"a.db", "b.db"}, {"b.db", "a.db"}}) {
    const std::string out = names[0] + "-first.db";
    merge(names, out);
    merge({"a.db"}, out);
    const Database database(file(out), OpenMode::kReadOnly);
    EXPECT_EQ(database.ceilings(1).at(0).value, 4300);
    EXPECT_EQ(database.ceilings(1, /*newest_per_name=*/false).size(), 2u);
  }
}

TEST_F(Merge, IntoADatabaseAppendsWhatIsNewerAndKeepsItsNumbers) {
  { SampleDatabase(file("a.db")).add(128, 10, 1); }
  { SampleDatabase(file("b.db")).add(128, 20, 2); }
  const MergeReport report = merge({"b.db"}, "a.db");
  EXPECT_EQ(report.renumbered, 0u);
  const auto trials = Database(file("a.db"), OpenMode::kReadOnly).trials({.newest_per_key = false});
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[0].trial.id, 1);
  EXPECT_EQ(trials[0].trial.median_us, 10);
}

TEST_F(Merge, IntoADatabaseOlderTrialsGoBeforeNewerOnesUnderNewNumbers) {
  {
    SampleDatabase a(file("a.db"));
    const RowId first = a.add(128, 20, 10);
    a.add_twin(256, first, 20, 11);
    a.rank({first}, 20, 12);
  }
  { SampleDatabase(file("b.db")).add(128, 10, 1); }
  copy("a.db", "out.db");
  const MergeReport report = merge({"b.db"}, "out.db");
  EXPECT_EQ(report.renumbered, 2u);
  expect_intact("out.db");
  merge({"a.db", "b.db"}, "fresh.db");
  EXPECT_EQ(content(file("out.db")), content(file("fresh.db")));
  EXPECT_EQ(shown(file("out.db")), shown(file("fresh.db")));
  const auto trials =
      Database(file("out.db"), OpenMode::kReadOnly).trials({.newest_per_key = false});
  EXPECT_EQ(trials.front().trial.id, 3) << "numbers are never given out twice";
}

TEST_F(Merge, OtherKernelsAndDevicesKeepTheirNumbers) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 20, 10);
    a.use_device("cuda:1");
    a.add(128, 30, 11);
  }
  { SampleDatabase(file("b.db")).add(128, 10, 1); }
  EXPECT_EQ(merge({"b.db"}, "a.db").renumbered, 1u);
  const auto other = Database(file("a.db"), OpenMode::kReadOnly).trials({.device = "cuda:1"});
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].trial.id, 2);
}

TEST_F(Merge, WhoMustKeepNumbersIsAskedBeforeAnythingChanges) {
  { SampleDatabase(file("a.db")).add(128, 20, 10); }
  { SampleDatabase(file("b.db")).add(128, 10, 1); }
  const auto before = content(file("a.db"));
  MergeOptions options;
  options.before_renumbering = [] { throw user_error("not now"); };
  EXPECT_EQ(message_of([&] { merge_files({file("b.db")}, file("a.db"), options); }), "not now");
  EXPECT_EQ(content(file("a.db")), before);
  // The callback is not called if nothing needs new numbers.
  merge_files({file("a.db")}, file("a.db"), options);
  EXPECT_EQ(content(file("a.db")), before);
}

TEST_F(Merge, WithNothingNewChangesNothing) {
  {
    SampleDatabase a(file("a.db"));
    const RowId first = a.add(128, 20, 10);
    a.use_kernel("hash-2");
    a.add(256, 20, 11);
    a.rank({first}, 20, 12);
    a.add_ceiling(4000, 13);
  }
  copy("a.db", "b.db");
  const auto numbers = [&](const char* name) {
    std::vector<std::string> lines;
    for (const auto& row :
         Database(file(name), OpenMode::kReadOnly).trials({.newest_per_key = false})) {
      lines.push_back(
          fmt::format("{} {} {}", row.trial.id, row.trial.run, row.contract_generation));
    }
    return lines;
  };
  const auto before = numbers("a.db");
  merge({"b.db"}, "a.db");
  EXPECT_EQ(numbers("a.db"), before);
  EXPECT_EQ(content(file("a.db")), content(file("b.db")));
}

TEST_F(Merge, SamplesThatAreNoNumbersAreEqualToThemselves) {
  {
    SampleDatabase a(file("a.db"));
    TrialRecord trial = sample_trial();
    trial.samples_us = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity()};
    a.database().add_trial(trial);
  }
  copy("a.db", "b.db");
  merge({"a.db", "b.db"}, "out.db");
  EXPECT_EQ(Database(file("out.db"), OpenMode::kReadOnly).trial_count(), 1u);
}

TEST_F(Merge, EmptyDatabasesMergeToAnEmptyOne) {
  { Database a(file("a.db")); }
  merge({"a.db", "a.db"}, "out.db");
  EXPECT_EQ(Database(file("out.db"), OpenMode::kReadOnly).trial_count(), 0u);
}

// Databases that share devices, kernels, keys, times and whole trials.
class RandomMerge : public Merge, public ::testing::WithParamInterface<unsigned> {
 protected:
  void make(const std::string& name, std::mt19937& random) const {
    const auto pick = [&](int below) {
      return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    SampleDatabase out(file(name));
    int second = pick(40);
    std::vector<RowId> ranked;
    for (int step = 0; step < 40; ++step) {
      second += pick(8) - 1;  // clocks go back now and then
      switch (pick(9)) {
        case 0:
          out.start_run(SampleDatabase::time_of(step));
          break;
        case 1:
          out.use_kernel(pick(2) == 0 ? "hash-1" : "hash-2");
          ranked.clear();
          break;
        case 2:
          out.use_device(pick(2) == 0 ? "cuda:0" : "cuda:1");
          ranked.clear();
          break;
        case 3:
          out.add_failed(32 * (1 + pick(4)), Status::kCompileFailed, std::max(0, second));
          break;
        case 4:
          if (!ranked.empty()) out.add_twin(1024, ranked.back(), 9, std::max(0, second));
          break;
        case 5:
          if (!ranked.empty()) out.rank({ranked.back()}, 9 + pick(3), std::max(0, second));
          break;
        case 6:
          out.add_ceiling(4000 + pick(3), std::max(0, second));
          break;
        default:
          ranked.push_back(out.add(32 * (1 + pick(4)), 10 + pick(3), std::max(0, second)));
      }
    }
  }
};

TEST_P(RandomMerge, DoesNotDependOnOrderOrRepetitionAndMayBeDoneInSteps) {
  std::mt19937 random(GetParam());
  for (const char* name : {"a.db", "b.db", "c.db"}) make(name, random);
  merge({"a.db", "b.db", "c.db"}, "abc.db");
  const auto all = content(file("abc.db"));
  const auto boards = shown(file("abc.db"));
  expect_intact("abc.db");
  // The same trials in another order and with repetitions.
  merge({"c.db", "a.db", "b.db", "a.db"}, "caba.db");
  EXPECT_EQ(content(file("caba.db")), all);
  EXPECT_EQ(shown(file("caba.db")), boards);
  // Once more, with the results.
  merge({"abc.db", "b.db", "caba.db"}, "again.db");
  EXPECT_EQ(content(file("again.db")), all);
  EXPECT_EQ(shown(file("again.db")), boards);
  // In two steps.
  merge({"a.db", "b.db"}, "ab.db");
  merge({"ab.db", "c.db"}, "ab-c.db");
  EXPECT_EQ(content(file("ab-c.db")), all);
  // In place, with any renumbering that requires.
  copy("c.db", "into.db");
  merge({"b.db", "a.db"}, "into.db");
  EXPECT_EQ(content(file("into.db")), all);
  expect_intact("into.db");
  // Each database shows the same before and after a merge.
  merge({"a.db"}, "a-alone.db");
  EXPECT_EQ(shown(file("a-alone.db")), shown(file("a.db")));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMerge, ::testing::Range(1u, 13u));

}  // namespace
}  // namespace warpwright::testing
