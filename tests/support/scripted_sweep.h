// Sweeps on devices that do not exist, by workers that read the result of every trial and final
// ranking from a script, and write down what they were asked. A line of that log, and a key of
// the script, is "64 on 1" for a trial of 64 threads on n=1, "64.3 on 1" for one with HINT=3 (which
// reaches no code: configurations that differ in nothing else come to the same thing), and "rank 1"
// for a ranking, in the log with its finalists: "rank 1: 32* 64", an incumbent starred; "model 64"
// for a configuration that an emulated device models.
//
// The script holds an object per key, or a list: an entry each time it is asked, the last for ever.
//   trials    {"status", "us" (100 + threads), "drift", "moved", "worker_lost", "hazard": kind,
//             "mj" (1000 / threads; where energy is asked for)}; registers are as many as threads
//   rankings  {"status", "failed", "worker_lost", "us", "headline" (42)}; every finalist takes its
//             time from the sweep unless "us" gives one for all of them
// Answers of one device are stored under its id: {"fake:1": {"factor": 1.01}} takes that
// much longer. A trial with {"waits": ["fake:0", "fake:1"]} waits until those have been asked for
// one, with {"waits_for_compiler_of": "64"} until the compile worker, which there is one of, has
// taken on 64 threads: what comes before them in the space is compiled then.
//   both      {"dies"}, {"hangs"}, {"interrupts"} (the sweep, as Ctrl-C does), {"error": fault}
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "core/files.h"
#include "store/database.h"
#include "sweep/sweep.h"

namespace warpwright::testing {

class ScriptedSweep : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // YAML lists: "32, 64", "{n: 1}, {n: 2}".
  void write_sweep(const std::string& threads, const std::string& sizes,
                   const std::string& hints = "0") const;
  void add_to_sweep(const std::string& yaml) const;
  void script(const nlohmann::json& script) const;
  static DeviceInfo device(const std::string& id, bool has_clock);

  // On one device with a clock. Starts a new log; throws what the engine throws.
  SweepSummary sweep();
  SweepSummary sweep_on(const std::vector<DeviceInfo>& devices);
  // The Error with which a sweep ends.
  std::string error_of_sweep();

  [[nodiscard]] std::vector<std::string> asked() const;
  // Trials with their device: "64 on 1 by fake:0".
  [[nodiscard]] std::vector<std::string> asked_of_devices() const;
  // However the trials of a board were ordered.
  [[nodiscard]] std::vector<std::string> asked_sorted() const;
  // To people.
  [[nodiscard]] std::string said() const;
  [[nodiscard]] std::vector<RankingRecord> rankings() const;
  [[nodiscard]] std::vector<TrialRecord> stored(bool newest = true) const;
  [[nodiscard]] TrialRecord newest(int threads, int n, int hint = 0) const;
  [[nodiscard]] std::vector<Leaderboard> leaderboards() const;

  TemporaryFolder folder_;
  std::filesystem::path database_ = folder_.path() / "x.db";
  SweepOptions options_;
};

}  // namespace warpwright::testing
