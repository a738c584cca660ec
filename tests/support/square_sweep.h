// Sweeps of the square kernel in a folder of their own, as the robustness tests run them: slow
// enough to be disturbed, and compared with a sweep that was left alone.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/files.h"
#include "store/database.h"
#include "support/program.h"

namespace warpwright::testing {

class SquareSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    write_square_kernel(folder_.path());
    setenv("WARPWRIGHT_CACHE", (folder_.path() / "cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("WARPWRIGHT_CACHE"); }

  // A YAML list: "{n: 400000}, {n: 400001}". A trial of n=400000 takes about 0.1 s on one core.
  void write_problems(const std::string& emulated) const {
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 100000}]\nemulated: [" + emulated +
                   "]\nspace:\n  THREADS: [32, 64, 128, 256]\n  PER_THREAD: [1, 2, 4]\n"
                   "constraints: [\"THREADS * PER_THREAD <= 512\"]\n");
  }
  std::vector<std::string> arguments(const std::filesystem::path& database,
                                     std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"sweep",     (folder_.path() / "square.yaml").string(),
                                    "--kernels", (folder_.path() / "kernels").string(),
                                    "--device",  "emu:sm_90a",
                                    "--db",      (folder_.path() / database).string(),
                                    "--top",     "0"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Runs to the end, undisturbed; the JSON it prints.
  nlohmann::json finish(const std::filesystem::path& database,
                        const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = arguments(database, {"--json", "--quiet"});
    all.insert(all.end(), more.begin(), more.end());
    const ProgramResult result = run_program(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  // In the background, and one trial after another even on a machine with many cores.
  [[nodiscard]] int start(const std::filesystem::path& database,
                          std::vector<std::string> more = {"--json", "--quiet"}) const {
    more.insert(more.end(), {"--emulator-workers", "1"});
    return start_program(arguments(database, std::move(more)), folder_.path() / "out",
                         folder_.path() / "err");
  }
  // The exit code of a started sweep, -1 when a signal ended it.
  static int wait_for(int pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string said() const { return read_file(folder_.path() / "err"); }
  [[nodiscard]] nlohmann::json printed() const {
    return nlohmann::json::parse(read_file(folder_.path() / "out"));
  }

  // Ranking without row numbers and durations, which differ between runs.
  static nlohmann::json ranking(const nlohmann::json& swept) {
    nlohmann::json ranks = nlohmann::json::array();
    for (const nlohmann::json& board : swept["leaderboards"]) {
      for (const nlohmann::json& entry : board["entries"]) {
        ranks.push_back({board["problem_text"], entry["rank"], entry["configuration_text"],
                         entry["median_us"], entry["status"]});
      }
    }
    return ranks;
  }

  [[nodiscard]] std::uint64_t stored(const std::filesystem::path& database) const {
    const auto file = folder_.path() / database;
    // A sweep that has not committed its schema yet leaves an empty file, which is not a database.
    if (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0) return 0;
    const Database opened(file, OpenMode::kReadOnly);
    EXPECT_EQ(opened.integrity(), "ok");
    return opened.trial_count();
  }
  // Until this many trials are stored, or the sweep has ended (then false).
  [[nodiscard]] bool wait_until_stored(const std::filesystem::path& database, std::uint64_t trials,
                                       int pid) const {
    while (stored(database) < trials) {
      siginfo_t info{};
      if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
          info.si_pid != 0) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  TemporaryFolder folder_;
};

// The worker processes of a running sweep that have this role: "measure" or "compile".
inline std::vector<int> workers_of(int sweep, const std::string& role) {
  std::vector<int> found;
  const std::string mark = std::string("\0worker\0", 8) + role;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto command = read_file_if_present(entry.path() / "cmdline");
    const auto stat = read_file_if_present(entry.path() / "stat");
    if (!command || !stat || command->find(mark) == std::string::npos) continue;
    // "pid (name) state ppid ..."
    int parent = 0;
    char state = 0;
    const std::string rest = stat->substr(stat->rfind(')') + 1);
    if (std::sscanf(rest.c_str(), " %c %d", &state, &parent) == 2 && parent == sweep)
      found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace warpwright::testing
