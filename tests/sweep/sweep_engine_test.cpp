// Runs sweeps with workers of the test's own on a device that does not exist: tests the engine's
// decisions when trials hang, crash or lose their device.
#include "sweep/sweep_engine.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/escape.h"
#include "core/files.h"
#include "core/process/subprocess.h"
#include "support/fake_gpu.h"
#include "support/program.h"
#include "support/test_worker.h"
#include "trial/outcome_codec.h"
#include "workers/watchdog.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Refuses every size. The answer for the problem's size, 7, comes after that for case `odd`, 1001:
// the worker that refused 7 must have received case `one` before.
void refuse(const std::string& size, CompileResult& result) {
  const fs::path released = std::string(std::getenv("ENGINE_TEST_LOG")) + ".released";
  if (size == "1") testing::write_text(released, "");
  for (int waits = 0; size == "7" && !fs::exists(released) && waits < 2000; ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  result.ok = false;
  result.failure = "refused at " + size;
}

// If this file exists, the compiler is killed on every job, as on a machine without memory.
fs::path short_of_memory() { return std::string(std::getenv("ENGINE_TEST_LOG")) + ".killed"; }

WARPWRIGHT_TEST_WORKER(engine_compile) {
  WorkerChannel channel;
  channel.send({{"nvrtc_version", "99.1"}, {"compiler", "fake"}});
  nlohmann::json message;
  while (channel.receive(message)) {
    CompileResult result;
    result.ok = true;
    result.cubin = "code";
    if (fs::exists(short_of_memory())) ::raise(SIGKILL);
    for (const auto& [name, value] : message.get<CompileJob>().defines)
      if (name == "SIZE") refuse(value, result);
    channel.send(result);
  }
  return 0;
}

// 32 threads are good, 64 hang, 128 kill the process, 256 poison the context; the time of a good
// configuration is the problem's size. Every trial is logged.
WARPWRIGHT_TEST_WORKER(engine_measure) {
  WorkerChannel channel;
  nlohmann::json message;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      channel.send({{"ready", true}});
      continue;
    }
    const auto request = message.at("trial").get<MeasureRequest>();
    const CompiledTrial& trial = std::get<TrialToTime>(request.what).trial;
    const std::int64_t threads = trial.configuration.values.at("THREADS").as_integer();
    const std::int64_t n = trial.problem.at("n").as_integer();
    std::ofstream(std::getenv("ENGINE_TEST_LOG"), std::ios::app)
        << threads << " on " << n << " limit " << request.launch_time_limit.count() << "\n";
    if (threads == 128) ::raise(SIGKILL);
    Outcome outcome;
    if (threads == 64) outcome.status = Status::kTimeout;
    if (threads == 256) outcome.status = Status::kLaunchFailed;
    outcome.worker_lost = threads != 32;
    if (outcome.status == Status::kOk) {
      outcome.time.emplace();
      outcome.time->median_us = static_cast<double>(n);
    } else {
      outcome.reason = "told to fail";
    }
    channel.send({{"outcome", outcome}});
  }
  return 0;
}

class SweepEngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_square_kernel(folder_.path());
    fs::create_directories(folder_.path() / "kernels" / "common");
    testing::write_text(
        folder_.path() / "workers",
        "#!/bin/sh\nexec " + shell_word(test_worker_command("x")[0]) + " --worker engine_$2\n");
    fs::permissions(folder_.path() / "workers", fs::perms::owner_all);
    setenv("ENGINE_TEST_LOG", log().c_str(), 1);
    setenv("WARPWRIGHT_CACHE", (folder_.path() / "cache").c_str(), 1);
    setenv("WARPWRIGHT_MEMORY_LIMIT", "off", 1);  // sanitizers map terabytes
    options_.config = folder_.path() / "square.yaml";
    options_.compile_workers = 1;
    options_.quiet = true;
  }
  void TearDown() override {
    unsetenv("ENGINE_TEST_LOG");
    unsetenv("WARPWRIGHT_CACHE");
    unsetenv("WARPWRIGHT_MEMORY_LIMIT");
  }

  void write_sweep(const std::string& threads, const std::string& sizes) const {
    testing::write_text(folder_.path() / "square.yaml", "kernel: square\nproblems: [" + sizes +
                                                            "]\nspace:\n  THREADS: [" + threads +
                                                            "]\n  PER_THREAD: [1]\n");
  }
  SweepSummary sweep() {
    Paths paths;
    paths.home = folder_.path();
    paths.program = folder_.path() / "workers";
    paths.kernel_roots = {folder_.path() / "kernels"};
    ProgressOptions silent;
    silent.quiet = true;
    Progress progress(silent);
    Database database(database_);
    WorkerHost host;
    SweepEngine engine(options_, paths, make_plan(options_, paths, {testing::fake_gpu()}), database,
                       progress, host);
    return engine.run();
  }
  std::vector<TrialRecord> stored() const {
    std::vector<TrialRecord> trials;
    for (auto& row : Database(database_, OpenMode::kReadOnly).trials({}))
      trials.push_back(std::move(row.trial));
    return trials;
  }
  std::string log() const { return (folder_.path() / "log").string(); }
  // The trials that reached a worker, in order.
  std::string ran() const { return read_file_if_present(log()).value_or(""); }

  TemporaryFolder folder_;
  fs::path database_ = folder_.path() / "x.db";
  SweepOptions options_;
};

TEST_F(SweepEngineTest, AConfigurationThatHungThreeTimesIsNotRunAgain) {
  write_sweep("64", "{n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.trials, 5u);
  EXPECT_EQ(ran(), "64 on 1 limit 10000\n64 on 2 limit 10000\n64 on 3 limit 10000\n");
  EXPECT_EQ(summary.by_status.at(Status::kTimeout), 3u);
  for (const TrialRecord& trial : stored()) {
    if (trial.status == Status::kTimeout) continue;
    EXPECT_EQ(trial.status, Status::kCrashed);
    EXPECT_EQ(trial.reason,
              "not run: this configuration hung or lost its worker 3 times in this sweep (timeout "
              "on n=1; timeout on n=2; timeout on n=3); --fresh tries it again");
  }
}

TEST_F(SweepEngineTest, ThreeDeathsOnOneProblemSpareTheOthers) {
  write_sweep("128", "{n: 1}, {n: 2}");
  const SweepSummary summary = sweep();
  EXPECT_EQ(ran(), "128 on 1 limit 10000\n128 on 1 limit 10000\n128 on 1 limit 10000\n");
  EXPECT_EQ(summary.measurers_lost, 3u);
  const std::vector<TrialRecord> trials = stored();
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_THAT(trials[0].reason, HasSubstr("3 measuring processes died on this trial"));
  EXPECT_THAT(trials[1].reason, HasSubstr("(crashed on n=1, 3 times)"));
}

TEST_F(SweepEngineTest, PoisonedContextsCountAsHangsDo) {
  write_sweep("256", "{n: 1}, {n: 2}, {n: 3}, {n: 4}");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.by_status.at(Status::kLaunchFailed), 3u);
  EXPECT_EQ(summary.by_status.at(Status::kCrashed), 1u);
}

TEST_F(SweepEngineTest, OtherConfigurationsAreNotPunished) {
  write_sweep("32, 64", "{n: 1}, {n: 2}, {n: 3}, {n: 4}");
  EXPECT_EQ(sweep().by_status.at(Status::kOk), 4u);
}

TEST_F(SweepEngineTest, AResumedSweepRemembersWhatTheConfigurationCost) {
  write_sweep("64", "{n: 1}, {n: 2}, {n: 3}");
  (void)sweep();
  write_sweep("64", "{n: 1}, {n: 2}, {n: 3}, {n: 4}");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.resumed, 3u);
  EXPECT_EQ(ran(), "64 on 1 limit 10000\n64 on 2 limit 10000\n64 on 3 limit 10000\n");
  EXPECT_EQ(sweep().resumed, 4u) << "what was not run is stored like any other trial";
}

// Two sweeps of one plan run into one database at once: each trial is stored once, by the sweep
// that is first.
TEST_F(SweepEngineTest, TwoSweepsAtOnceStoreEachTrialOnce) {
  std::string sizes = "{n: 1}";
  for (int n = 2; n <= 40; ++n) sizes += ", {n: " + std::to_string(n) + "}";
  write_sweep("32", sizes);
  (void)Database(database_).integrity();  // created before both open it
  SweepSummary first, second;
  std::thread other([&] { first = sweep(); });
  second = sweep();
  other.join();
  EXPECT_EQ(first.trials, 40u);
  EXPECT_EQ(second.trials, 40u);
  EXPECT_EQ(Database(database_, OpenMode::kReadOnly).trials({.newest_per_key = false}).size(), 40u);
  EXPECT_EQ(first.resumed + second.resumed, 40u) << "each takes what the other has stored";
}

TEST_F(SweepEngineTest, FreshForgetsWhatTheConfigurationCost) {
  write_sweep("64", "{n: 1}, {n: 2}, {n: 3}, {n: 4}");
  (void)sweep();
  fs::remove(log());
  options_.fresh = true;
  (void)sweep();
  EXPECT_EQ(ran(), "64 on 1 limit 10000\n64 on 2 limit 10000\n64 on 3 limit 10000\n");
}

TEST_F(SweepEngineTest, TheProblemsOwnRefusalIsToldWhicheverCompilerWasFirst) {
  const fs::path contract = folder_.path() / "kernels" / "square" / "kernel.yaml";
  std::string text = read_file(contract);
  const std::string size = "n: {doc: elements}";
  testing::write_text(
      contract, text.replace(text.find(size), size.size(), "n: {doc: elements, macro: SIZE}"));
  write_sweep("32", "{n: 7}");
  options_.compile_workers = 2;
  (void)sweep();
  const std::vector<TrialRecord> trials = stored();
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].status, Status::kCompileFailed);
  EXPECT_EQ(trials[0].reason, "refused at 7");
}

TEST_F(SweepEngineTest, WhatTheMachineStoppedIsTriedAgainByTheNextSweep) {
  write_sweep("32", "{n: 7}");
  testing::write_text(short_of_memory(), "");
  EXPECT_EQ(sweep().by_status, (std::map<Status, std::size_t>{{Status::kNotCompiled, 1}}));
  EXPECT_EQ(ran(), "");
  ASSERT_EQ(stored().size(), 1u);
  EXPECT_EQ(stored()[0].status, Status::kNotCompiled);
  EXPECT_EQ(stored()[0].reason,
            (folder_.path() / "kernels/square/plain.cu").string() +
                ": the machine stopped the compiler 3 times, which says nothing about the source; "
                "the last time: killed by signal 9 (Killed)");
  fs::remove(short_of_memory());
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.resumed, 0u);
  EXPECT_EQ(summary.by_status, (std::map<Status, std::size_t>{{Status::kOk, 1}}));
  ASSERT_EQ(stored().size(), 1u);
  EXPECT_EQ(stored()[0].status, Status::kOk);
}

TEST_F(SweepEngineTest, WhatTheMachineStoppedHidesNothingThatWasKnown) {
  write_sweep("32", "{n: 7}");
  (void)sweep();
  fs::remove_all(folder_.path() / "cache");
  testing::write_text(short_of_memory(), "");
  options_.fresh = true;
  EXPECT_EQ(sweep().by_status, (std::map<Status, std::size_t>{{Status::kOk, 1}}))
      << "the earlier result stands";
  EXPECT_EQ(Database(database_, OpenMode::kReadOnly).trials({.newest_per_key = false}).size(), 1u);
}

TEST_F(SweepEngineTest, TheLaunchLimitFollowsTheBestTimeOfTheBoard) {
  write_sweep("32", "{n: 1000000}");
  (void)sweep();
  write_sweep("32, 64", "{n: 1000000}");
  (void)sweep();
  EXPECT_EQ(ran(), "32 on 1000000 limit 10000\n64 on 1000000 limit 20000\n")
      << "20 times a second, from the trial of the earlier sweep";
  write_sweep("32, 96", "{n: 1000}");
  fs::remove(log());
  (void)sweep();
  write_sweep("32, 96, 160", "{n: 1000}");
  (void)sweep();
  EXPECT_THAT(ran(), HasSubstr("160 on 1000 limit 2000\n"));
}

}  // namespace
}  // namespace warpwright
