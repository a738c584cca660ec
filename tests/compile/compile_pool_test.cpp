#include "compile/compile_pool.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "compile/fixtures.h"
#include "core/error.h"
#include "core/process/confine.h"
#include "core/process/serve.h"
#include "core/process/subprocess.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

WARPWRIGHT_TEST_WORKER(compile) { return compile_worker_main(); }

std::string define_of(const CompileJob& job, std::string_view name) {
  for (const auto& [key, value] : job.defines) {
    if (key == name) return value;
  }
  return "";
}

// Returns true on the first call with this file by any process.
bool first_time(const std::string& file) {
  if (fs::exists(file)) return false;
  std::ofstream(file) << "x";
  return true;
}

// A fake compiler that does what the define DO says; any other job "compiles" at once. The PTX
// names the process.
WARPWRIGHT_TEST_WORKER(fake_compiler) {
  WorkerChannel channel;
  channel.send({{"nvrtc_version", "99.1"}, {"compiler", "fake"}});
  json message;
  while (channel.receive(message)) {
    const auto job = message.get<CompileJob>();
    const std::string what = define_of(job, "DO");
    const std::string once = define_of(job, "ONCE");
    const bool misbehaves = once.empty() || first_time(once);
    if (what == "crash" && misbehaves) {
      std::fprintf(stderr, "the compiler's last words\n");
      std::fflush(stderr);
      ::signal(SIGSEGV, SIG_DFL);  // sanitizers install their own handler
      ::raise(SIGSEGV);
    }
    if (what == "exit" && misbehaves) return 9;
    if (what == "environment" && misbehaves) return 3;
    if (what == "signal" && misbehaves) ::raise(std::stoi(define_of(job, "NUMBER")));
    if (what == "idle") {
      for (;;) ::pause();
    }
    if (what == "hang") {
      for (std::atomic<int> turns = 0;;) turns.fetch_add(1, std::memory_order_relaxed);
    }
    if (what == "nonsense" && misbehaves) {
      channel.send({{"what", "is this"}});
      continue;
    }
    if (what == "wait") {
      const std::string file = define_of(job, "FILE");
      std::ofstream(file + define_of(job, "ID")) << "started";
      while (!fs::exists(file)) std::this_thread::sleep_for(milliseconds(5));
    }
    if (what == "edit") std::ofstream(job.source, std::ios::app) << "// edited meanwhile\n";
    CompileResult result;
    result.ok = what != "fail";
    if (!result.ok) result.failure = "told to fail";
    result.ptx = std::to_string(::getpid());
    channel.send(result);
  }
  return 0;
}

WARPWRIGHT_TEST_WORKER(other_compiler) {
  WorkerChannel channel;
  channel.send({{"nvrtc_version", "98"}, {"compiler", "older"}});
  json message;
  while (channel.receive(message)) {
  }
  return 0;
}

WARPWRIGHT_TEST_WORKER(mute_compiler) { return 4; }

WARPWRIGHT_TEST_WORKER(shouting_compiler) {
  ::signal(SIGPIPE, SIG_IGN);
  for (int i = 0; i < 100'000; ++i) {
    if (::write(STDOUT_FILENO, "THIS IS NOT A FRAME", 19) < 0) break;
  }
  ::pause();
  return 0;
}

WARPWRIGHT_TEST_WORKER(compiler_without_nvrtc) {
  WorkerChannel channel;
  channel.send(error_frame(environment_error("NVRTC was not found; install it")));
  return 3;
}

// Collects the results that the pool delivers.
class Inbox {
 public:
  [[nodiscard]] CompilePool::Done done() {
    return [this](std::uint64_t ticket, CompileResult result) {
      const std::lock_guard lock(mutex_);
      order_.push_back(ticket);
      results_[ticket] = std::move(result);
      arrived_.notify_all();
    };
  }
  // Returns the result of this ticket; fails the test if there is none in time.
  CompileResult wait(std::uint64_t ticket) {
    std::unique_lock lock(mutex_);
    const bool came = arrived_.wait_for(lock, std::chrono::seconds(60),
                                        [&] { return results_.contains(ticket); });
    EXPECT_TRUE(came) << "no answer for ticket " << ticket;
    return results_[ticket];
  }
  [[nodiscard]] std::vector<std::uint64_t> order() const {
    const std::lock_guard lock(mutex_);
    return order_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::uint64_t, CompileResult> results_;
  std::vector<std::uint64_t> order_;
};

class PoolTest : public ::testing::Test {
 protected:
  CompilePoolOptions fake(int workers, const char* worker = "fake_compiler") const {
    CompilePoolOptions options;
    options.workers = workers;
    options.worker_command = test_worker_command(worker);
    return options;
  }
  CompilePoolOptions cached(CompilePoolOptions options) const {
    options.cache_folder = sources_.path() / "cache";
    return options;
  }
  // Jobs with different `id` are different jobs.
  CompileJob job(const std::string& what, int id = 0) const {
    CompileJob result = job_for(sources_.path() / "k.cu");
    result.defines = {{"DO", what}, {"ID", std::to_string(id)}};
    return result;
  }
  CompileJob once(const std::string& what) const {
    CompileJob result = job(what);
    result.defines.emplace_back("ONCE", (sources_.path() / "happened").string());
    return result;
  }
  CompileJob waiting(int id = 0) const {
    CompileJob result = job("wait", id);
    result.defines.emplace_back("FILE", gate());
    return result;
  }
  [[nodiscard]] std::string gate() const { return (sources_.path() / "gate").string(); }
  // Waits until the compiler works on the waiting job of this id.
  void wait_until_started(int id) const {
    const fs::path mark = gate() + std::to_string(id);
    for (int i = 0; i < 6000 && !fs::exists(mark); ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    EXPECT_TRUE(fs::exists(mark)) << "job " << id << " was not begun";
  }
  void open_gate() const { std::ofstream(gate()) << "open"; }

  static void wait_until_idle(const CompilePool& pool) {
    for (int i = 0; i < 6000 && pool.outstanding() != 0; ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    EXPECT_EQ(pool.outstanding(), 0u);
  }

  SourceFolder sources_;
  fs::path source_ = sources_.write("k.cu", "// a kernel\n");
  Inbox inbox_;
};

TEST_F(PoolTest, CompilesWithTheRealCompiler) {
  SKIP_WITHOUT_NVRTC();
  sources_.write("scale.cu", kScale);
  CompilePool pool(fake(1, "compile"), inbox_.done());
  EXPECT_EQ(pool.nvrtc_version(), nvrtc().version());
  EXPECT_EQ(pool.workers(), 1);
  CompileJob scale = job_for(sources_.path() / "scale.cu");
  EXPECT_EQ(pool.submit(scale), 1u);
  scale.defines = {{"FACTOR", "2.0f"}};
  EXPECT_EQ(pool.submit(scale), 2u);
  EXPECT_THAT(inbox_.wait(1).failure,
              EndsWith("scale.cu:2: error: identifier \"FACTOR\" is undefined"));
  const CompileResult result = inbox_.wait(2);
  EXPECT_TRUE(result.ok) << result.failure;
  EXPECT_THAT(result.ptx, HasSubstr(".entry scale("));
  EXPECT_NE(result.find("scale"), nullptr);
  EXPECT_FALSE(result.cached);
  EXPECT_EQ(result.key.size(), 64u);
}

// As if the scan had overlooked an #include.
TEST_F(PoolTest, TheCompilerOpensNoFileThatTheJobDoesNotHave) {
  SKIP_WITHOUT_NVRTC();
  if (!can_confine_threads()) GTEST_SKIP() << "this system has no Landlock";
  const fs::path secret = sources_.write("secret.h", "int the_password;\n#error the password\n");
  CompileJob job = job_for(source_);
  job.files = {{"k.cu", source_, "#include <" + secret.string() + ">\n", true, {}}};
  CompilePool pool(fake(1, "compile"), inbox_.done());
  (void)pool.submit(job);
  const CompileResult result = inbox_.wait(1);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.failure, HasSubstr("cannot open source file"));
  EXPECT_THAT(result.log, Not(HasSubstr("password")));
}

TEST_F(PoolTest, OneWorkerProcessCompilesManyJobsInOrder) {
  CompilePool pool(fake(1), inbox_.done());
  EXPECT_EQ(pool.nvrtc_version(), "99.1");
  std::vector<std::uint64_t> expected;
  for (int i = 0; i < 20; ++i) expected.push_back(pool.submit(job("", i)));
  wait_until_idle(pool);
  EXPECT_EQ(inbox_.order(), expected);
  std::set<std::string> processes;
  for (const std::uint64_t ticket : expected) processes.insert(inbox_.wait(ticket).ptx);
  EXPECT_EQ(processes.size(), 1u);
  EXPECT_EQ(pool.statistics().submitted, 20u);
  EXPECT_EQ(pool.statistics().compiled, 20u);
}

TEST_F(PoolTest, WorkersWorkAtTheSameTime) {
  CompilePool pool(fake(8), inbox_.done());
  for (int i = 0; i < 8; ++i) pool.submit(waiting(i));
  for (int i = 0; i < 8; ++i) wait_until_started(i);
  open_gate();
  wait_until_idle(pool);
  EXPECT_EQ(pool.statistics().compiled, 8u);
  EXPECT_GT(pool.statistics().busy_seconds, 0);
}

TEST_F(PoolTest, ACrashIsTriedOnceMoreOnAFreshWorker) {
  CompilePool pool(fake(1), inbox_.done());
  const CompileResult result = inbox_.wait(pool.submit(once("crash")));
  EXPECT_TRUE(result.ok);
  EXPECT_FALSE(result.crashed);
  EXPECT_EQ(pool.statistics().crashed, 0u);
}

TEST_F(PoolTest, ACrashingJobFailsAloneWithSignalAndLastWords) {
  CompilePool pool(fake(1), inbox_.done());
  const CompileResult crashed = inbox_.wait(pool.submit(job("crash")));
  EXPECT_FALSE(crashed.ok);
  EXPECT_TRUE(crashed.crashed);
  EXPECT_EQ(crashed.failure,
            source_.string() +
                ": the compiler died on this job, twice: killed by signal 11 "
                "(Segmentation fault); its last output: the compiler's last words");
  EXPECT_TRUE(inbox_.wait(pool.submit(job(""))).ok);
  EXPECT_EQ(pool.statistics().crashed, 1u);
  EXPECT_EQ(pool.statistics().failed, 1u);
}

// The signals are sent by the kernel when memory is short, by time limits, by people, and after a
// failed disk read.
TEST_F(PoolTest, ACompilerThatTheMachineKillsIsTriedAgain) {
  CompilePool pool(fake(1), inbox_.done());
  for (const int signal : {SIGKILL, SIGTERM, SIGXCPU, SIGBUS}) {
    CompileJob killed = once("signal");
    killed.defines.emplace_back("NUMBER", std::to_string(signal));
    EXPECT_TRUE(inbox_.wait(pool.submit(killed)).ok) << signal;
    fs::remove(sources_.path() / "happened");
  }
  EXPECT_EQ(pool.statistics().crashed, 0u);
}

TEST_F(PoolTest, ACompilerThatTheMachineKillsEachTimeIsNoVerdict) {
  CompilePool pool(cached(fake(1)), inbox_.done());
  CompileJob killed = job("signal");
  killed.defines.emplace_back("NUMBER", std::to_string(SIGKILL));
  const CompileResult result = inbox_.wait(pool.submit(killed));
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.by_machine);
  EXPECT_EQ(result.failure,
            source_.string() +
                ": the machine stopped the compiler 3 times, which says nothing about the source; "
                "the last time: killed by signal 9 (Killed)");
  EXPECT_FALSE(inbox_.wait(pool.submit(killed)).cached);
  EXPECT_TRUE(inbox_.wait(pool.submit(job(""))).ok) << "the pool goes on";
}

TEST_F(PoolTest, AFaultOfTheEnvironmentIsNoVerdict) {
  CompilePool pool(fake(1), inbox_.done());
  const CompileResult result = inbox_.wait(pool.submit(job("environment")));
  EXPECT_TRUE(result.by_machine);
  EXPECT_EQ(result.failure,
            source_.string() +
                ": the machine stopped the compiler 3 times, which says nothing about the source; "
                "the last time: exit code 3");
}

TEST_F(PoolTest, ACompilerThatCannotBeStartedAgainIsNoVerdict) {
  int starts = 0;
  CompilePoolOptions options = fake(0);
  const WorkerLauncher once_only = [&](const std::vector<std::string>& command,
                                       const WorkerLimits& limits) {
    if (++starts > 1)
      throw environment_error("cannot start worker 'w': fork: Cannot allocate memory");
    return launch_here(command, limits);
  };
  options.places = {{"here", once_only, 1}};
  CompilePool pool(options, inbox_.done());
  const CompileResult result = inbox_.wait(pool.submit(once("exit")));
  EXPECT_TRUE(result.by_machine);
  EXPECT_EQ(result.failure,
            source_.string() +
                ": the machine stopped the compiler 3 times, which says nothing about the source; "
                "the last time: cannot start worker 'w': fork: Cannot allocate memory");
}

TEST_F(PoolTest, ASourceThatCannotBeReadIsNoVerdict) {
  CompilePool pool(fake(1), inbox_.done());
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  const rlimit none{0, usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const CompileResult result = inbox_.wait(pool.submit(job("")));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_TRUE(result.by_machine);
  EXPECT_EQ(result.failure, "cannot read " + source_.string() + ": Too many open files");
}

TEST_F(PoolTest, AnExitingWorkerIsACrashToo) {
  CompilePool pool(fake(1), inbox_.done());
  EXPECT_EQ(inbox_.wait(pool.submit(job("exit"))).failure,
            source_.string() + ": the compiler died on this job, twice: exit code 9");
}

TEST_F(PoolTest, AnAnswerThatIsNoResultIsACrashToo) {
  CompilePool pool(fake(1), inbox_.done());
  EXPECT_EQ(inbox_.wait(pool.submit(job("nonsense"))).failure,
            source_.string() +
                ": the compiler died on this job, twice: it sent something that is not a message");
  EXPECT_TRUE(inbox_.wait(pool.submit(job("", 2))).ok);
}

TEST_F(PoolTest, AWorkerKilledWhileIdleIsReplaced) {
  CompilePool pool(fake(1), inbox_.done());
  const CompileResult before = inbox_.wait(pool.submit(job("", 1)));
  ::kill(std::stoi(before.ptx), SIGKILL);
  const CompileResult after = inbox_.wait(pool.submit(job("", 2)));
  EXPECT_TRUE(after.ok);
  EXPECT_NE(after.ptx, before.ptx);
}

TEST_F(PoolTest, AHangingCompilerIsKilledAtTheTimeout) {
  CompilePoolOptions options = fake(1);
  options.timeout = milliseconds(1000);
  CompilePool pool(options, inbox_.done());
  // A busy machine may not give the compiler the processor time that a verdict requires.
  CompileResult result;
  std::uint64_t attempts = 0;
  do {
    result = inbox_.wait(pool.submit(job("hang", static_cast<int>(attempts))));
  } while (++attempts < 60 && result.by_machine);
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.crashed);
  EXPECT_FALSE(result.by_machine);
  EXPECT_EQ(result.failure, "compiler did not finish within 1 s; killed");
  EXPECT_TRUE(inbox_.wait(pool.submit(job(""))).ok);
  EXPECT_EQ(pool.statistics().timed_out, attempts);
}

// It may have waited for a disk, or for other processes.
TEST_F(PoolTest, ACompilerThatHadNoTimeIsNoVerdict) {
  CompilePoolOptions options = fake(1);
  options.timeout = milliseconds(300);
  CompilePool pool(options, inbox_.done());
  const CompileResult result = inbox_.wait(pool.submit(job("idle")));
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(result.by_machine);
  EXPECT_EQ(result.failure,
            source_.string() +
                ": the compiler did not finish, and the machine did not give it the 0.3 s that it "
                "may have; killed");
}

TEST_F(PoolTest, EqualJobsInFlightCompileOnce) {
  CompilePool pool(fake(4), inbox_.done());
  for (int i = 0; i < 10; ++i) pool.submit(waiting());
  while (pool.statistics().shared != 9) std::this_thread::sleep_for(milliseconds(5));
  open_gate();
  wait_until_idle(pool);
  std::set<std::string> processes;
  for (std::uint64_t ticket = 1; ticket <= 10; ++ticket) {
    const CompileResult result = inbox_.wait(ticket);
    EXPECT_TRUE(result.ok);
    processes.insert(result.ptx);
  }
  EXPECT_EQ(processes.size(), 1u);
  EXPECT_EQ(pool.statistics().compiled, 1u);
}

TEST_F(PoolTest, TheCacheAnswersTheSecondTime) {
  {
    CompilePool pool(cached(fake(2)), inbox_.done());
    EXPECT_FALSE(inbox_.wait(pool.submit(job(""))).cached);
    EXPECT_TRUE(inbox_.wait(pool.submit(job(""))).cached);
    EXPECT_EQ(pool.statistics().from_cache, 1u);
    EXPECT_EQ(pool.statistics().compiled, 1u);
  }
  Inbox later;
  CompilePool pool(cached(fake(2)), later.done());
  EXPECT_TRUE(later.wait(pool.submit(job(""))).cached);
  EXPECT_FALSE(later.wait(pool.submit(job("", 1))).cached);
}

TEST_F(PoolTest, FailuresAreCachedButCrashesAndTimeoutsAreNot) {
  CompilePoolOptions options = cached(fake(1));
  options.timeout = milliseconds(2000);
  CompilePool pool(options, inbox_.done());
  for (const char* what : {"fail", "crash", "hang"}) {
    EXPECT_FALSE(inbox_.wait(pool.submit(job(what))).cached);
    EXPECT_EQ(inbox_.wait(pool.submit(job(what))).cached, what == std::string("fail")) << what;
  }
  EXPECT_EQ(pool.statistics().failed, 6u);
}

TEST_F(PoolTest, AnEditMeanwhileIsNeitherCompiledNorCached) {
  CompilePool pool(cached(fake(1)), inbox_.done());
  EXPECT_FALSE(inbox_.wait(pool.submit(job("edit"))).cached);
  EXPECT_FALSE(inbox_.wait(pool.submit(job("edit"))).cached) << "of the edited text";
  // The first result belongs to the text that was read, and is stored under that text's key.
  sources_.write("k.cu", "// a kernel\n");
  EXPECT_TRUE(inbox_.wait(pool.submit(job("edit"))).cached);
}

TEST_F(PoolTest, JobsOfOneBundleAreOfTheTextThatItRead) {
  CompilePool pool(cached(fake(1)), inbox_.done());
  CompileJob first = job("edit");
  first.texts = std::make_shared<SourceBundle>();
  EXPECT_FALSE(inbox_.wait(pool.submit(first)).cached);
  EXPECT_TRUE(inbox_.wait(pool.submit(first)).cached) << "though the file was edited";
}

TEST_F(PoolTest, AMissingSourceIsAFailedResult) {
  CompilePool pool(cached(fake(1)), inbox_.done());
  const CompileResult result = inbox_.wait(pool.submit(job_for(sources_.path() / "gone.cu")));
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.failure, HasSubstr("gone.cu"));
  EXPECT_EQ(pool.statistics().failed, 1u);
}

TEST_F(PoolTest, CancelDropsWhatIsQueued) {
  CompilePool pool(fake(1), inbox_.done());
  pool.submit(waiting());
  for (int i = 1; i < 10; ++i) pool.submit(job("", i));
  wait_until_started(0);
  EXPECT_EQ(pool.outstanding(), 10u);
  pool.cancel_queued();
  EXPECT_EQ(pool.outstanding(), 1u);
  open_gate();
  wait_until_idle(pool);
  EXPECT_THAT(inbox_.order(), ElementsAre(1u));
  EXPECT_TRUE(inbox_.wait(pool.submit(job("", 20))).ok) << "the pool goes on after a cancel";
}

TEST_F(PoolTest, SpareJobsComeLast) {
  CompilePool pool(fake(1), inbox_.done());
  pool.submit(waiting());
  wait_until_started(0);
  pool.submit(job("", 1), /*spare=*/true);
  pool.submit(job("", 2));
  pool.submit(job("", 3));
  open_gate();
  wait_until_idle(pool);
  EXPECT_THAT(inbox_.order(), ElementsAre(1u, 3u, 4u, 2u));
}

TEST_F(PoolTest, CancelDropsSpareJobsToo) {
  CompilePool pool(fake(1), inbox_.done());
  pool.submit(waiting());
  wait_until_started(0);
  pool.submit(job("", 1), /*spare=*/true);
  pool.cancel_queued();
  EXPECT_EQ(pool.outstanding(), 1u);
  open_gate();
  wait_until_idle(pool);
  EXPECT_THAT(inbox_.order(), ElementsAre(1u));
}

TEST_F(PoolTest, DestructionIsPromptAndSilent) {
  const auto begin = std::chrono::steady_clock::now();
  {
    CompilePool pool(fake(3), inbox_.done());
    for (int i = 0; i < 3; ++i) pool.submit(waiting(i));
    for (int i = 0; i < 20; ++i) pool.submit(job("hang", i));
    for (int i = 0; i < 3; ++i) wait_until_started(i);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_TRUE(inbox_.order().empty());
}

TEST_F(PoolTest, DoneMaySubmitMore) {
  std::atomic<int> calls = 0;
  std::unique_ptr<CompilePool> pool;
  std::mutex ready;
  std::unique_lock lock(ready);
  pool = std::make_unique<CompilePool>(fake(2), [&](std::uint64_t, const CompileResult&) {
    const std::lock_guard wait(ready);
    if (++calls < 10) pool->submit(job("", calls));
    EXPECT_GE(pool->outstanding(), 1u);
  });
  lock.unlock();
  pool->submit(job("", 100));
  for (int i = 0; i < 2000 && calls < 10; ++i) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(calls, 10);
  wait_until_idle(*pool);
}

std::string start_error_of(CompilePoolOptions options) {
  try {
    CompilePool pool(std::move(options), [](std::uint64_t, const CompileResult&) {});
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    return error.message();
  }
}

TEST_F(PoolTest, AWorkerThatSaysNothingIsAnError) {
  const CompilePoolOptions options = fake(2, "mute_compiler");
  EXPECT_EQ(start_error_of(options),
            "the compile worker '" + options.worker_command[0] + "' did not start: exit code 4");
}

TEST_F(PoolTest, AWorkerThatShoutsIsAnError) {
  EXPECT_THAT(start_error_of(fake(2, "shouting_compiler")),
              EndsWith("did not start: it sent something that is not a message"));
}

TEST_F(PoolTest, AWorkerWithoutNvrtcSaysSo) {
  EXPECT_EQ(start_error_of(fake(2, "compiler_without_nvrtc")), "NVRTC was not found; install it");
}

TEST_F(PoolTest, AWorkerThatDoesNotExistIsAnError) {
  CompilePoolOptions options;
  options.worker_command = {"/no/such/warpwright"};
  EXPECT_EQ(start_error_of(options),
            "cannot start worker '/no/such/warpwright': No such file or directory");
}

// A worker process that is lost as soon as it has greeted.
class LostCompiler final : public WorkerProcess {
 public:
  bool send(const json&, milliseconds) override {
    gone_ = true;
    return false;
  }
  ReadResult receive(json& message, milliseconds) override {
    message = {{"nvrtc_version", "99.1"}, {"compiler", "fake"}};
    return gone_ ? ReadResult::kClosed : ReadResult::kMessage;
  }
  [[nodiscard]] bool sent_nonsense() const override { return false; }
  void kill() override {}
  std::optional<ExitStatus> try_wait() override { return ExitStatus{-1, 0}; }
  std::string stderr_tail() override { return ""; }
  [[nodiscard]] std::string name() const override { return "process 1 of rank 1"; }
  [[nodiscard]] bool place_lost() const override { return gone_; }

 private:
  bool gone_ = false;
};

TEST_F(PoolTest, WhatALostMachineWasCompilingIsCompiledAtAnother) {
  CompilePoolOptions options = fake(0);
  const WorkerLauncher lost = [](const std::vector<std::string>&, const WorkerLimits&) {
    return std::make_shared<LostCompiler>();
  };
  options.places = {{"rank 1 on node7", lost, 2}, {"rank 2 on node8", launch_here, 1}};
  CompilePool pool(options, inbox_.done());
  EXPECT_EQ(pool.workers(), 3);
  for (int i = 1; i <= 8; ++i) pool.submit(job("", i));
  for (std::uint64_t ticket = 1; ticket <= 8; ++ticket) EXPECT_TRUE(inbox_.wait(ticket).ok);
  wait_until_idle(pool);
  EXPECT_EQ(pool.statistics().crashed, 0u);
}

TEST_F(PoolTest, MachinesWithDifferentCompilersAreAnError) {
  CompilePoolOptions options = fake(0);
  const WorkerLauncher other = [](const std::vector<std::string>&, const WorkerLimits& limits) {
    return launch_here(test_worker_command("other_compiler"), limits);
  };
  options.places = {{"rank 1 on node7", launch_here, 1}, {"rank 2 on node8", other, 1}};
  EXPECT_EQ(start_error_of(options),
            "rank 2 on node8 compiles with older, rank 1 on node7 with fake: their results could "
            "not be compared; expected one NVRTC everywhere, install it or leave a machine out");
}

TEST_F(PoolTest, ZeroWorkersMeansOnePerCore) {
  CompilePool pool(fake(0), inbox_.done());
  EXPECT_EQ(pool.workers(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

}  // namespace
}  // namespace warpwright
