// Tests that verbs which measure use a device exclusively. Emulated devices stand in for GPUs
// (WARPWRIGHT_LOCK=all).
#include <gmock/gmock.h>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class LockedSweep : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    setenv("WARPWRIGHT_LOCK", "all", 1);
    setenv("WARPWRIGHT_LOCK_FOLDER", folder_.path().c_str(), 1);
    write_problems("{n: 400000}, {n: 400001}, {n: 400002}");
  }
  void TearDown() override {
    unsetenv("WARPWRIGHT_LOCK");
    unsetenv("WARPWRIGHT_LOCK_FOLDER");
    SquareSweep::TearDown();
  }
  // Starts a sweep in the background that holds the device.
  [[nodiscard]] int start_owner() const {
    const int pid = start("owner.db");
    while (owner().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return pid;
  }
  // Returns the content of the lock file.
  [[nodiscard]] std::string owner() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      if (entry.path().extension() == ".lock") return read_file(entry.path());
    return "";
  }
};

TEST_F(LockedSweep, ASecondSweepIsRefusedAndSaysWhoMeasures) {
  const int pid = start_owner();
  const ProgramResult second = run_program(arguments("second.db"));
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_THAT(
      second.err,
      StartsWith("warpwright: emu:sm_90a (emulated NVIDIA H200 (sm_90a)) is in use by process " +
                 std::to_string(pid) + " of "));
  EXPECT_THAT(second.err, HasSubstr(" sweep " + (folder_.path() / "square.yaml").string()));
  EXPECT_THAT(second.err,
              HasSubstr("two that measure at once disturb each other: wait for its end with "
                        "--wait, or choose another device with --device\n"));
  kill(-pid, SIGKILL);
  wait_for(pid);
}

TEST_F(LockedSweep, OneThatWaitsGoesOnWhenTheOtherIsKilled) {
  const int owner = start_owner();
  const int second = start_program(arguments("second.db", {"--wait", "--quiet"}),
                                   folder_.path() / "out2", folder_.path() / "err2");
  while (!read_file_if_present(folder_.path() / "err2").value_or("").ends_with("\n"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THAT(
      read_file(folder_.path() / "err2"),
      StartsWith("warpwright: waiting for emu:sm_90a (emulated NVIDIA H200 (sm_90a)), which is in "
                 "use by process " +
                 std::to_string(owner) + " of "));
  kill(-owner, SIGKILL);
  wait_for(owner);
  EXPECT_EQ(wait_for(second), 0);
}

TEST_F(LockedSweep, AWaitHasAnEnd) {
  const int pid = start_owner();
  const ProgramResult second = run_program(arguments("second.db", {"--wait", "10ms"}));
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_THAT(second.err, HasSubstr("--wait was over after 0.01 s; give it longer, or choose"));
  kill(-pid, SIGKILL);
  wait_for(pid);
}

TEST_F(LockedSweep, BenchIsRefusedToo) {
  (void)finish("x.db", {"--set", "n=1000", "--budget", "1"});
  const int pid = start_owner();
  const ProgramResult bench =
      run_program({"bench", "square", "--kernels", (folder_.path() / "kernels").string(),
                   "--device", "emu:sm_90a", "--db", (folder_.path() / "x.db").string()});
  EXPECT_EQ(bench.exit_code, 3);
  EXPECT_THAT(bench.err, HasSubstr("is in use by process " + std::to_string(pid)));
  kill(-pid, SIGKILL);
  wait_for(pid);
}

TEST_F(LockedSweep, WaitBeforeAKernelsNameSaysWhereItGoes) {
  const ProgramResult bench = run_program({"bench", "--wait", "square"});
  EXPECT_EQ(bench.exit_code, 2);
  EXPECT_THAT(bench.err, HasSubstr("--wait: got 'square', expected a time as in 10min; --wait "
                                   "without one goes behind all names"));
}

TEST_F(LockedSweep, AWaitThatIsNoTimeIsAnError) {
  const ProgramResult swept = run_program(arguments("x.db", {"--wait=10mn"}));
  EXPECT_EQ(swept.exit_code, 2);
  EXPECT_THAT(swept.err, HasSubstr("--wait: got '10mn', expected a time as in 10min, or nothing to "
                                   "wait without end"));
}

}  // namespace
}  // namespace warpwright::testing
