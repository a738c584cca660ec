// A killed process, a full disk and two processes at once lose no trial that was acknowledged.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "store/child_process.h"
#include "store/sample_records.h"

namespace warpwright {
namespace {

using testing::ChildProcess;
using testing::DatabaseTest;
using testing::sample_trial;

class DurabilityTest : public DatabaseTest {
 protected:
  // Adds trials forever and writes each row's number once it is stored.
  void add_for_ever(int out, const std::string& name) const {
    Database database = open();
    for (int i = 0;; ++i) {
      TrialRecord trial = sample_trial();
      trial.key = name + "-" + std::to_string(i);
      trial.configuration_text = "threshold THREADS=" + std::to_string(i);
      trial.reason = std::string(static_cast<std::size_t>(i % 7) * 1000, 'x');
      ChildProcess::say(out, std::to_string(database.add_trial(trial)) + "\n");
    }
  }
  std::set<RowId> stored_rows() const {
    std::set<RowId> rows;
    for (const auto& row : open().trials({.newest_per_key = false})) rows.insert(row.trial.id);
    return rows;
  }
};

// Parses complete lines; a last line without its end was cut by the kill and acknowledges nothing.
std::vector<RowId> acknowledged(const std::string& said) {
  std::vector<RowId> rows;
  std::istringstream in(said.substr(0, said.rfind('\n') + 1));
  for (RowId row = 0; in >> row;) rows.push_back(row);
  return rows;
}

TEST_F(DurabilityTest, AKillLosesNoAcknowledgedTrial) {
  make_database(0);
  std::mt19937 random(7);
  std::size_t total = 0;
  for (int round = 0; round < 12; ++round) {
    ChildProcess child([&](int out) { add_for_ever(out, "round-" + std::to_string(round)); });
    // Every other kill may also strike while the database is being opened.
    if (round % 2 == 0) child.wait_for_output();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40000));
    child.kill_and_wait();
    const std::vector<RowId> rows = acknowledged(child.read_all());
    ASSERT_EQ(open().integrity(), "ok") << "round " << round;
    const std::set<RowId> stored = stored_rows();
    for (const RowId row : rows) ASSERT_TRUE(stored.contains(row)) << "round " << round;
    total += rows.size();
  }
  EXPECT_GE(total, 6U);
}

TEST_F(DurabilityTest, AKillWhileTheDatabaseIsMadeLeavesOneThatOpens) {
  std::mt19937 random(11);
  for (int round = 0; round < 12; ++round) {
    std::filesystem::remove(path_);
    ChildProcess child([&](int) { make_database(0); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 12000));
    child.kill_and_wait();
    ASSERT_EQ(open().integrity(), "ok") << "round " << round;
  }
}

TEST_F(DurabilityTest, AFullDiskIsReportedAndKeepsEarlierTrials) {
  make_database(0);
  std::string said = ChildProcess([&](int out) {
                       signal(SIGXFSZ, SIG_IGN);
                       const rlimit limit{400000, 400000};
                       setrlimit(RLIMIT_FSIZE, &limit);
                       add_for_ever(out, "full");
                     }).read_all();
  said.replace(said.find(path_.string()), path_.string().size(), "x.db");
  const std::vector<RowId> rows = acknowledged(said.substr(0, said.find("disk")));
  ASSERT_GT(rows.size(), 5U);
  EXPECT_EQ(
      said.substr(said.find("disk")),
      "disk is full: x.db: File too large; " + std::to_string(rows.size()) +
          " trials committed so far are safe; free some space and run the same command again, "
          "it resumes");
  EXPECT_EQ(open().integrity(), "ok");
  EXPECT_EQ(stored_rows(), std::set<RowId>(rows.begin(), rows.end()));
}

TEST_F(DurabilityTest, TwoSweepsShareOneDatabase) {
  make_database(0);
  constexpr int kEach = 25;
  const auto sweep = [&](const std::string& name) {
    return [&, name](int out) {
      Database database = open();
      put_basics(database);
      for (int i = 0; i < kEach; ++i) {
        TrialRecord trial = sample_trial();
        trial.key = name + std::to_string(i);
        database.add_trial(trial);
      }
      ChildProcess::say(out, "done");
    };
  };
  ChildProcess first(sweep("a"));
  ChildProcess second(sweep("b"));
  EXPECT_EQ(first.read_all(), "done");
  EXPECT_EQ(second.read_all(), "done");
  EXPECT_EQ(open().trial_count(), 2U * kEach);
  EXPECT_EQ(open().integrity(), "ok");
}

TEST_F(DurabilityTest, TwoProcessesMayMakeTheDatabaseAtOnce) {
  const auto make = [&](int out) {
    make_database(1);
    ChildProcess::say(out, "done");
  };
  ChildProcess first(make);
  ChildProcess second(make);
  EXPECT_EQ(first.read_all(), "done");
  EXPECT_EQ(second.read_all(), "done");
  EXPECT_EQ(open().trial_count(), 2U);
}

}  // namespace
}  // namespace warpwright
