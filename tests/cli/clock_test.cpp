// Tests that a sweep is independent of the wall clock, which may be set forwards and backwards
// while it runs: no timing, limit or order may depend on it.
#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

constexpr long kDay = 86'400;

class WallClock : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 1000000}");
    shift(0);
    setenv("CLOCK_SHIFT_FILE", (folder_.path() / "shift").c_str(), 1);
    // The loader would split a name with a blank into two libraries.
    const auto library = folder_.path() / "clock_shift.so";
    std::filesystem::copy_file(WARPWRIGHT_CLOCK_SHIFT, library);
    setenv("LD_PRELOAD", library.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("LD_PRELOAD");
    unsetenv("CLOCK_SHIFT_FILE");
    SquareSweep::TearDown();
  }
  // Writes atomically, so that readers never see half a number.
  void shift(long seconds) const {
    std::ofstream(folder_.path() / "shift.new") << seconds;
    std::filesystem::rename(folder_.path() / "shift.new", folder_.path() / "shift");
  }
  std::vector<Database::TrialRow> rows(const char* database) const {
    return Database(folder_.path() / database, OpenMode::kReadOnly).trials({});
  }
  // Returns the days on which trials were started.
  std::set<std::string> days(const char* database) const {
    std::set<std::string> result;
    for (const auto& row : rows(database)) result.insert(row.trial.started_utc.substr(0, 10));
    return result;
  }
};

TEST_F(WallClock, JumpsOfADayEndNoBudgetAndNoTrial) {
  const nlohmann::json calm = finish("calm.db");
  // With one compiler, fewer trials are begun before the first is stored.
  const int pid =
      start("jumpy.db", {"--json", "--quiet", "--budget", "10min", "--compile-workers", "1"});
  for (std::uint64_t trials = 1; wait_until_stored("jumpy.db", trials, pid); ++trials)
    shift(trials % 2 == 0 ? -kDay : kDay);
  ASSERT_EQ(wait_for(pid), 0) << said();
  EXPECT_GE(days("jumpy.db").size(), 2u) << "the clock did not jump";
  const nlohmann::json jumpy = printed();
  EXPECT_EQ(jumpy["sweep"]["ended"], "complete");
  EXPECT_EQ(jumpy["sweep"]["statuses"], calm["sweep"]["statuses"]);
  EXPECT_EQ(ranking(jumpy), ranking(calm));
}

TEST_F(WallClock, TheNewestTrialIsTheOneStoredLastWhateverTheClockSaid) {
  shift(kDay);
  const std::int64_t first = finish("x.db")["sweep"]["run"].get<std::int64_t>();
  shift(-kDay);
  const std::int64_t second = finish("x.db", {"--fresh"})["sweep"]["run"].get<std::int64_t>();
  EXPECT_GT(second, first);
  for (const auto& row : rows("x.db")) EXPECT_EQ(row.trial.run, second) << row.trial.started_utc;
  EXPECT_EQ(rows("x.db").size(), 11u);
}

}  // namespace
}  // namespace warpwright::testing
