// Tests measuring workers that crash, hang, send wrong or excessive output: what a trial is charged
// with, and what it is not.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/files.h"
#include "core/process/memory_limit.h"
#include "core/process/subprocess.h"
#include "trial/outcome_codec.h"
#include "workers/measure_pool.h"
#include "workers/pool_fixture.h"
#include "workers/watchdog.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::text_of;

// Returns how often this was called with the file before, by any process.
int times_before(const std::string& file) {
  const std::string before = read_file_if_present(file).value_or("");
  std::ofstream(file, std::ios::app) << "x";
  return static_cast<int>(before.size());
}

[[noreturn]] void die(int signal) {
  std::signal(signal, SIG_DFL);  // sanitizers have handlers of their own
  std::raise(signal);
  ::_exit(1);
}

// Ends like an uncaught exception in one of the emulator's threads.
[[noreturn]] void end_as_after_bad_alloc() {
  std::fprintf(stderr, "terminate called after throwing an instance of 'std::bad_alloc'\n");
  die(SIGABRT);
}

// Writes to the pipe of frames, which WorkerChannel keeps private.
void write_raw(std::string_view bytes) {
  for (int descriptor = 3; descriptor < 64; ++descriptor) {
    char target[64] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (::readlink(link.c_str(), target, sizeof(target) - 1) <= 0) continue;
    if (std::string_view(target).find("pipe:") != 0) continue;
    [[maybe_unused]] const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    return;
  }
}

void flood(int descriptor) {
  const std::string block(1u << 20, 'x');
  for (int i = 0; i < 200; ++i) {
    [[maybe_unused]] const ssize_t put = ::write(descriptor, block.data(), block.size());
  }
}

// A measurer that does as DO says, with the argument WITH.
WARPWRIGHT_TEST_WORKER(rogue_measurer) {
  WorkerChannel channel;
  nlohmann::json message;
  bool answered = false;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      const std::string device = message["open"]["device"].get<std::string>();
      if (device.starts_with("stillborn:") && times_before(device.substr(10)) < 2) die(SIGKILL);
      if (device == "dead") die(SIGKILL);
      channel.send({{"ready", true}});
      continue;
    }
    const auto request = message.at("trial").get<MeasureRequest>();
    const std::string what = text_of(request, "DO");
    const std::string with = text_of(request, "WITH");
    const auto enter = [&](const char* phase) { channel.send({{"phase", phase}}); };
    if (what == "die in validate") {
      enter("validate");
      std::fprintf(stderr, "last words\n");
      die(SIGKILL);
    }
    if (what == "die twice" && times_before(with) < 2) die(SIGSEGV);
    if (what == "die in reference") {
      enter("reference");
      die(SIGSEGV);
    }
    if (what == "hang") {
      std::signal(SIGTERM, SIG_IGN);
      if (!with.empty()) enter(with.c_str());
      for (;;) ::pause();
    }
    if (what == "be slow") {
      for (int i = 0; i < 6; ++i) {
        enter("validate");
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
      }
    }
    if (what == "garbage") write_raw("this is not a frame at all");
    if (what == "nonsense") channel.send({{"outcome", "splendid"}});
    if (what == "array") channel.send(nlohmann::json::array({1, 2, 3}));
    if (what == "1 GiB") write_raw(std::string("\x00\x00\x00\x40xx", 6));
    if (what == "4 GiB") write_raw(std::string("\xff\xff\xff\xffxx", 6));
    if (what == "shout") {
      flood(STDOUT_FILENO);
      flood(STDERR_FILENO);
    }
    if (what == "terminate") end_as_after_bad_alloc();
    if (what == "out of memory") ::_exit(kOutOfMemoryExit);
    if (what == "out of memory later" && answered) ::_exit(kOutOfMemoryExit);
    Outcome outcome;
    outcome.reason = std::to_string(::getpid());
    if (what == "limit") outcome.reason = std::to_string(request.launch_time_limit.count());
    if (what == "be lost") {
      outcome.status = Status::kLaunchFailed;
      outcome.worker_lost = true;
    }
    channel.send({{"outcome", outcome}});
    answered = true;
  }
  return 0;
}

class MeasureIsolation : public ::testing::Test {
 protected:
  // Runs the trial and then another one, which must not be affected.
  Outcome outcome_of(const std::string& what, const std::string& with = "",
                     int patience_ms = 60'000) {
    start("emu:fake", patience_ms);
    pool_->submit(1, what, with);
    pool_->submit(2, "answer");
    pool_->wait_for(2);
    EXPECT_EQ(pool_->outcomes.at(2).status, Status::kOk);
    return pool_->outcomes.at(1);
  }
  std::string error_of(const std::string& what, const std::string& with = "",
                       int patience_ms = 60'000) {
    (void)outcome_of(what, with, patience_ms);
    const auto found = pool_->errors.find(1);
    return found == pool_->errors.end() ? "no error" : found->second.message();
  }
  void start(const std::string& device, int patience_ms = 60'000) {
    pool_ = std::make_unique<testing::PoolUnderTest>("rogue_measurer", 1, device, patience_ms);
  }
  MeasurePool::Statistics statistics() const { return pool_->pool->statistics(); }

  TemporaryFolder folder_;
  std::unique_ptr<testing::PoolUnderTest> pool_;
};

TEST_F(MeasureIsolation, ATrialWhoseWorkerDiesTwiceIsInnocent) {
  const Outcome outcome = outcome_of("die twice", (folder_.path() / "count").string());
  EXPECT_EQ(outcome.status, Status::kOk);
  EXPECT_EQ(statistics().workers_lost, 2u);
  EXPECT_EQ(statistics().retried, 2u);
  EXPECT_TRUE(outcome.counters.empty()) << "it looks like an undisturbed trial";
}

TEST_F(MeasureIsolation, TheThirdDeathIsTheOutcomeAndNamesAllThree) {
  const Outcome outcome = outcome_of("die in validate");
  EXPECT_EQ(outcome.status, Status::kCrashed);
  EXPECT_EQ(outcome.reason,
            "3 measuring processes died on this trial, which is quarantined: killed by signal 9 "
            "(Killed) while checking results; killed by signal 9 (Killed) while checking results; "
            "killed by signal 9 (Killed) while checking results; the last one said: last words; "
            "--fresh tries it again");
  EXPECT_EQ(outcome.counters.at(kWorkersLostCounter), 3u);
  EXPECT_EQ(statistics().workers_lost, 3u);
}

TEST_F(MeasureIsolation, AReferenceThatCrashesIsTheContractsFault) {
  EXPECT_THAT(
      error_of("die in reference"),
      StartsWith(
          "x/kernel.yaml: 3 measuring processes died before any kernel ran: killed by signal 11 "
          "(Segmentation fault) while computing the reference;"));
  EXPECT_EQ(pool_->errors.at(1).fault(), Fault::kUser);
}

TEST_F(MeasureIsolation, AHangIsEvidenceAtOnce) {
  const Outcome outcome = outcome_of("hang", "validate", 2000);
  EXPECT_EQ(outcome.status, Status::kTimeout);
  EXPECT_EQ(outcome.reason,
            "the measuring process was silent for 2 s and was killed while checking results");
  EXPECT_EQ(outcome.counters.at(kWorkersLostCounter), 1u);
  EXPECT_EQ(statistics().retried, 0u);
}

TEST_F(MeasureIsolation, AReferenceThatHangsIsTheContractsFault) {
  EXPECT_EQ(error_of("hang", "reference", 1000),
            "x/kernel.yaml: no answer for 1 s while computing the reference; choose a smaller "
            "problem or fix reference.cpp");
  EXPECT_THAT(pool_->waited,
              ElementsAre("x/kernel.yaml: waiting for 0.3 s while computing the reference; it is "
                          "given up after 1 s",
                          "x/kernel.yaml: waiting for 0.6 s while computing the reference; it is "
                          "given up after 1 s",
                          "x/kernel.yaml: waiting for 0.9 s while computing the reference; it is "
                          "given up after 1 s"));
}

TEST_F(MeasureIsolation, AKernelThatHangsIsNotWaitedForAloud) {
  (void)outcome_of("hang", "validate", 1000);
  EXPECT_TRUE(pool_->waited.empty());
}

TEST_F(MeasureIsolation, APoisonedContextIsEvidenceAtOnce) {
  const Outcome outcome = outcome_of("be lost");
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_EQ(outcome.counters.at(kWorkersLostCounter), 1u);
  EXPECT_EQ(statistics().retried, 0u);
}

TEST_F(MeasureIsolation, ProgressKeepsALongTrialAlive) {
  EXPECT_EQ(outcome_of("be slow", "", 2000).status, Status::kOk);
  EXPECT_EQ(statistics().workers_lost, 0u);
}

TEST_F(MeasureIsolation, EveryKindOfGarbageCostsAWorkerEach) {
  for (const char* what : {"garbage", "nonsense", "array", "4 GiB"}) {
    const Outcome outcome = outcome_of(what);
    EXPECT_EQ(outcome.status, Status::kCrashed) << what;
    EXPECT_THAT(outcome.reason, HasSubstr("sent something that is not a message; sent something"))
        << what;
  }
}

TEST_F(MeasureIsolation, AFrameThatIsAnnouncedAndNeverComesIsAHang) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(outcome_of("1 GiB", "", 2000).status, Status::kTimeout);
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10) << "KiB, for a header that says 1 GiB";
}

TEST_F(MeasureIsolation, AFloodOfTextIsNotKept) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(outcome_of("shout").status, Status::kOk);
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 50 << 10) << "KiB, for 400 MiB of text";
}

TEST_F(MeasureIsolation, AWorkerKilledWhileIdleCostsNoTrial) {
  start("emu:fake");
  pool_->submit(1, "answer");
  pool_->wait_for(1);
  ::kill(std::stoi(pool_->outcomes.at(1).reason), SIGKILL);
  pool_->submit(2, "answer");
  pool_->wait_for(2);
  EXPECT_EQ(pool_->outcomes.at(2).status, Status::kOk);
}

TEST_F(MeasureIsolation, WorkersThatDieAtTheirStartAreStartedAgain) {
  start("stillborn:" + (folder_.path() / "count").string());
  pool_->submit(1, "answer");
  pool_->wait_for(1);
  EXPECT_EQ(pool_->outcomes.at(1).status, Status::kOk);
  EXPECT_EQ(statistics().workers_started, 3u);
}

TEST_F(MeasureIsolation, WorkersThatNeverStartAreTheEnvironmentsFault) {
  start("dead");
  pool_->submit(1, "answer");
  pool_->wait_for(1);
  ASSERT_TRUE(pool_->errors.contains(1));
  EXPECT_EQ(pool_->errors.at(1).fault(), Fault::kEnvironment);
  EXPECT_EQ(pool_->errors.at(1).message(),
            "3 measuring processes died before they took a trial: killed by signal 9 (Killed); "
            "killed by signal 9 (Killed); killed by signal 9 (Killed)");
}

TEST_F(MeasureIsolation, AFreshWorkerThatRunsOutOfMemorySaysWhatItsLimitWas) {
  MeasurePoolOptions options;
  options.worker_command = test_worker_command("rogue_measurer");
#if !defined(__SANITIZE_ADDRESS__)  // sanitizers map terabytes
  options.limits.private_bytes = 512u << 20;
  const char* limit = "(limit 512 MiB; WARPWRIGHT_MEMORY_LIMIT sets it)";
#else
  const char* limit = "(no limit was set, only the machine's own applies)";
#endif
  for (const char* what : {"out of memory", "terminate"}) {
    testing::PoolUnderTest pool(options);
    pool.submit(1, what);
    pool.wait_for(1);
    EXPECT_EQ(pool.outcomes.at(1).status, Status::kCrashed);
    EXPECT_EQ(pool.outcomes.at(1).reason, std::string("ran out of memory ") + limit);
    EXPECT_EQ(pool.pool->statistics().retried, 0u) << "a second try would end the same";
  }
}

TEST_F(MeasureIsolation, AUsedWorkerThatRunsOutOfMemoryGivesItsTrialToAFreshOne) {
  start("emu:fake");
  pool_->submit(1, "answer");
  pool_->submit(2, "out of memory later");
  pool_->wait_for(2);
  EXPECT_EQ(pool_->outcomes.at(2).status, Status::kOk);
  EXPECT_EQ(statistics().retried, 1u);
}

TEST_F(MeasureIsolation, TheLaunchLimitTravelsWithTheTrial) {
  start("emu:fake");
  auto request = std::make_shared<MeasureRequest>();
  request->what.emplace<TrialToTime>().trial.configuration.values["DO"] = std::string("limit");
  request->launch_time_limit = std::chrono::milliseconds(4321);
  pool_->pool->submit(1, std::move(request));
  pool_->wait_for(1);
  EXPECT_EQ(pool_->outcomes.at(1).reason, "4321");
}

// The old process holds a lock until it is gone; the new one fails if it can take it too early.
WARPWRIGHT_TEST_WORKER(exclusive_measurer) {
  WorkerChannel channel;
  nlohmann::json message;
  int lock = -1;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      lock = ::open(message["open"]["device"].get<std::string>().c_str(), O_RDWR | O_CREAT, 0644);
      struct flock whole {};
      whole.l_type = F_WRLCK;
      if (::fcntl(lock, F_SETLK, &whole) != 0) {
        channel.send({{"error", {{"fault", "environment"}, {"message", "two at once"}}}});
        return 1;
      }
      // Returning memory takes time, as a driver does.
      static std::vector<char> ballast(256u << 20, 'x');
      channel.send({{"ready", true}});
      continue;
    }
    const auto request = message.at("trial").get<MeasureRequest>();
    if (text_of(request, "DO") == "die") die(SIGKILL);
    Outcome outcome;
    outcome.worker_lost = text_of(request, "DO") == "lose";
    outcome.status = outcome.worker_lost ? Status::kLaunchFailed : Status::kOk;
    channel.send({{"outcome", outcome}});
  }
  return 0;
}

TEST_F(MeasureIsolation, AReplacementStartsOnlyWhenTheOldProcessIsGone) {
  testing::PoolUnderTest pool("exclusive_measurer", 1, (folder_.path() / "device").string());
  for (std::uint64_t ticket = 1; ticket <= 10; ++ticket)
    pool.submit(ticket, ticket % 2 == 0 ? "lose" : "answer");
  pool.wait_for(10);
  EXPECT_TRUE(pool.errors.empty()) << pool.errors.begin()->second.message();
  EXPECT_EQ(pool.pool->statistics().workers_lost, 5u);
}

}  // namespace
}  // namespace warpwright
