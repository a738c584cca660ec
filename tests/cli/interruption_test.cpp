// Sweeps that are killed or stopped lose nothing that was stored, repeat nothing, and end where an
// undisturbed one ends.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "core/files.h"
#include "store/database.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class Interruption : public ::testing::Test {
 protected:
  void SetUp() override {
    write_square_kernel(folder_.path());
    // Slow enough to be caught in the middle: more work for each of 11 configurations.
    setenv("WARPWRIGHT_CACHE", (folder_.path() / "cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("WARPWRIGHT_CACHE"); }

  std::vector<std::string> arguments(const std::string& database,
                                     std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"sweep",     (folder_.path() / "square.yaml").string(),
                                    "--kernels", (folder_.path() / "kernels").string(),
                                    "--device",  "emu:sm_90a",
                                    "--db",      (folder_.path() / database).string(),
                                    "--set",     "n=400000",
                                    "--top",     "0"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  nlohmann::json finish(const std::string& database) const {
    const ProgramResult result = run_program(arguments(database, {"--json", "--quiet"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }

  // Ranking without row numbers and durations, which differ between runs.
  static nlohmann::json ranking(const nlohmann::json& swept) {
    nlohmann::json ranks = nlohmann::json::array();
    for (const nlohmann::json& entry : swept["leaderboards"][0]["entries"])
      ranks.push_back(
          {entry["rank"], entry["configuration_text"], entry["median_us"], entry["status"]});
    return ranks;
  }

  std::uint64_t stored(const std::string& database) const {
    const auto file = folder_.path() / database;
    if (!std::filesystem::exists(file)) return 0;
    const Database opened(file, OpenMode::kReadOnly);
    EXPECT_EQ(opened.integrity(), "ok");
    return opened.trial_count();
  }

  TemporaryFolder folder_;
};

TEST_F(Interruption, KillNineOfTheWholeGroupTenTimesLosesNothingAndRepeatsNothing) {
  const nlohmann::json undisturbed = finish("calm.db");
  std::mt19937 generator(20240611);
  std::uniform_int_distribution<int> milliseconds(30, 900);
  std::uint64_t before = 0;
  for (int round = 0; round < 10; ++round) {
    const int pid = start_program(arguments("killed.db", {"--quiet"}), folder_.path() / "out",
                                  folder_.path() / "err");
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(generator)));
    kill(-pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    // A kill before the schema was committed leaves an empty file, which is not yet a database.
    if (std::filesystem::exists(folder_.path() / "killed.db") &&
        std::filesystem::file_size(folder_.path() / "killed.db") == 0) {
      continue;
    }
    const std::uint64_t now = stored("killed.db");
    EXPECT_GE(now, before) << "round " << round;
    before = now;
  }
  const nlohmann::json resumed = finish("killed.db");
  EXPECT_EQ(resumed["sweep"]["resumed"].get<std::uint64_t>(), before);
  EXPECT_EQ(stored("killed.db"), stored("calm.db")) << "a trial was measured twice or lost";
  EXPECT_EQ(ranking(resumed), ranking(undisturbed));
}

TEST_F(Interruption, CtrlCStopsCleanlyAndKeepsEverything) {
  const int pid =
      start_program(arguments("stopped.db"), folder_.path() / "out", folder_.path() / "err");
  // Wait until something is stored, so that there is something to keep.
  for (int i = 0; i < 600; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (std::filesystem::exists(folder_.path() / "stopped.db-wal") && i > 20) break;
  }
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  const int code = WEXITSTATUS(status);
  EXPECT_TRUE(code == 130 || code == 0) << "0 when the sweep ended first; got " << code;
  const std::uint64_t kept = stored("stopped.db");
  EXPECT_EQ(finish("stopped.db")["sweep"]["resumed"].get<std::uint64_t>(), kept);
}

TEST_F(Interruption, WorkersDieWithAKilledOrchestrator) {
  const int pid = start_program(arguments("orphans.db", {"--quiet", "--set", "n=3000000"}),
                                folder_.path() / "out", folder_.path() / "err");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(pid, SIGKILL);  // the orchestrator alone, not its group
  int status = 0;
  waitpid(pid, &status, 0);
  std::string left;
  for (int i = 0; i < 100; ++i) {
    left.clear();
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos)
        continue;
      const auto command = read_file_if_present(entry.path() / "cmdline");
      const auto stat = read_file_if_present(entry.path() / "stat");
      if (!command || !stat || command->find(warpwright_program()) != 0) continue;
      if (stat->find(" " + std::to_string(pid) + " ") != std::string::npos)
        left += entry.path().string() + " ";
    }
    if (left.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(left, "") << "processes of the killed sweep's group that still run";
}

}  // namespace
}  // namespace warpwright::testing
