// Tests that sweeps which are killed or stopped lose no stored results, repeat no work, and end
// with the same result as an undisturbed sweep.
#include <gmock/gmock.h>

#include <chrono>
#include <random>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

class Interruption : public SquareSweep {
 protected:
  // Seconds of work, so that the sweep can be interrupted in the middle.
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 1000000}");
  }
};

TEST_F(Interruption, KillNineOfTheWholeGroupTenTimesLosesNothingAndRepeatsNothing) {
  write_problems("{n: 500000}, {n: 500001}");
  const nlohmann::json undisturbed = finish("calm.db");
  // The second sweep finds everything compiled, so it is as fast as the killed ones. Five of these
  // together do not reach its end.
  const auto begun = std::chrono::steady_clock::now();
  (void)finish("timed.db");
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun;
  std::mt19937 generator(20240611);
  std::uniform_int_distribution<int> milliseconds(static_cast<int>(0.03 * took.count()),
                                                  static_cast<int>(0.18 * took.count()));
  std::uint64_t before = 0;
  int found_running = 0;
  for (int round = 0; round < 10; ++round) {
    const int pid = start("killed.db", {"--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(generator)));
    kill(-pid, SIGKILL);
    if (wait_for(pid) == -1) ++found_running;
    const std::uint64_t now = stored("killed.db");
    EXPECT_GE(now, before) << "round " << round;
    before = now;
  }
  EXPECT_GE(found_running, 5) << "the sweep was too short to be killed in its middle";
  const nlohmann::json resumed = finish("killed.db");
  EXPECT_EQ(resumed["sweep"]["resumed"].get<std::uint64_t>(), before);
  EXPECT_EQ(stored("killed.db"), stored("calm.db")) << "a trial was measured twice or lost";
  EXPECT_EQ(ranking(resumed), ranking(undisturbed));
}

TEST_F(Interruption, CtrlCStopsCleanlyAndKeepsEverything) {
  const int pid = start("stopped.db", {});
  ASSERT_TRUE(wait_until_stored("stopped.db", 2, pid));
  kill(pid, SIGINT);
  EXPECT_EQ(wait_for(pid), 130);
  const std::uint64_t kept = stored("stopped.db");
  EXPECT_EQ(finish("stopped.db")["sweep"]["resumed"].get<std::uint64_t>(), kept);
}

TEST_F(Interruption, WorkersDieWithAKilledOrchestrator) {
  const int pid = start("orphans.db");
  ASSERT_TRUE(wait_until_stored("orphans.db", 1, pid));
  std::vector<int> workers = workers_of(pid, "measure");
  ASSERT_FALSE(workers.empty());
  for (const int compiler : workers_of(pid, "compile")) workers.push_back(compiler);
  kill(pid, SIGKILL);  // only the orchestrator, not its group
  wait_for(pid);
  for (int i = 0; i < 1000 && !workers.empty(); ++i) {
    // A zombie that has not been reaped counts as gone here.
    std::erase_if(workers, [](int worker) {
      const auto stat = read_file_if_present("/proc/" + std::to_string(worker) + "/stat");
      return !stat || stat->find(") Z") != std::string::npos;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(workers.empty()) << "process " << workers.front() << " still runs";
}

}  // namespace
}  // namespace warpwright::testing
