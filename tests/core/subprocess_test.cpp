#include "core/process/subprocess.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/escape.h"
#include "core/process/frame.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ReadResult = Subprocess::ReadResult;

constexpr milliseconds kPatience{20'000};

// Sanitizers map terabytes of private memory.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsWork = false;
#else
constexpr bool kLimitsWork = true;
#endif

// Handles requests of the form {"do": action, ...}.
WARPWRIGHT_TEST_WORKER(puppet) {
  WorkerChannel channel;
  json message;
  while (channel.receive(message)) {
    const std::string what = message.value("do", "echo");
    if (what == "echo") {
      channel.send(message);
    } else if (what == "hang") {
      for (;;) ::pause();
    } else if (what == "exit") {
      return message.value("code", 0);
    } else if (what == "abort") {
      std::abort();
    } else if (what == "interrupt") {
      ::raise(SIGINT);
      channel.send("still here");
    } else if (what == "print") {
      std::printf("a library prints\n");
      std::fflush(stdout);
      channel.send("printed");
    } else if (what == "complain") {
      for (int i = 0; i < message.value("lines", 1); ++i) std::fprintf(stderr, "line %d\n", i);
      channel.send("complained");
    } else if (what == "allocate") {
      try {
        const std::string block(message.at("bytes").get<std::size_t>(), 'x');
        channel.send(block.size());
      } catch (const std::bad_alloc&) {
        channel.send("no memory");
      }
    } else if (what == "descriptors") {
      std::vector<int> open;
      for (int i = 0; i < 256; ++i) {
        if (::fcntl(i, F_GETFD) >= 0 && (::fcntl(i, F_GETFD) & FD_CLOEXEC) == 0) open.push_back(i);
      }
      channel.send(open);
    } else if (what == "environment") {
      const char* value = std::getenv(message.at("name").get<std::string>().c_str());
      channel.send(value != nullptr ? json(value) : json());
    } else if (what == "core limit") {
      rlimit limit{};
      ::getrlimit(RLIMIT_CORE, &limit);
      channel.send(limit.rlim_cur);
    } else if (what == "oom score") {
      int score = 0;
      std::ifstream("/proc/self/oom_score_adj") >> score;
      channel.send(score);
    } else if (what == "group") {
      channel.send(std::vector<int>{::getpid(), ::getpgid(0)});
    } else if (what == "child") {
      const pid_t child = ::fork();
      if (child == 0) {
        for (;;) ::pause();
      }
      channel.send(child);
    }
  }
  return 0;
}

// Starts a puppet, reports its pid and sleeps: the orchestrator of the orphan test.
WARPWRIGHT_TEST_WORKER(parent) {
  WorkerChannel channel;
  Subprocess child(test_worker_command("puppet"));
  if (!child.send({{"do", "hang"}})) return 1;
  channel.send(child.pid());
  for (;;) ::pause();
}

json ask(Subprocess& worker, const json& request) {
  EXPECT_TRUE(worker.send(request));
  json answer;
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kMessage);
  return answer;
}

bool process_exists(pid_t pid) {
  // A zombie that its parent has not reaped yet still accepts kill(0).
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(status)), {});
  const std::size_t after_name = text.rfind(')');
  return after_name != std::string::npos && text.substr(after_name).find(") Z") != 0;
}

bool gone_soon(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    if (!process_exists(pid)) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(Subprocess, EchoesMessages) {
  Subprocess worker(test_worker_command("puppet"));
  const json request = {{"n", 1}, {"text", "two"}, {"real", 3.5}, {"list", {1, nullptr, true}}};
  EXPECT_EQ(ask(worker, request), request);
}

TEST(Subprocess, CarriesBinary) {
  Subprocess worker(test_worker_command("puppet"));
  const json request = {{"bytes", json::binary({0, 255, 10, 13, 26})}};
  EXPECT_EQ(ask(worker, request), request);
}

TEST(Subprocess, CarriesFramesLargerThanThePipe) {
  Subprocess worker(test_worker_command("puppet"));
  const json request = {{"text", std::string(20u << 20, 'x')}};
  EXPECT_TRUE(ask(worker, request) == request);
}

TEST(Subprocess, KeepsTheOrderOfMessages) {
  Subprocess worker(test_worker_command("puppet"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(worker.send({{"i", i}}));
  for (int i = 0; i < 100; ++i) {
    json answer;
    ASSERT_EQ(worker.receive(answer, kPatience), ReadResult::kMessage);
    EXPECT_EQ(answer["i"], i);
  }
}

TEST(Subprocess, DescriptorIsReadableExactlyWhileAMessageWaits) {
  Subprocess worker(test_worker_command("puppet"));
  ASSERT_TRUE(worker.send({{"i", 0}}));
  ASSERT_TRUE(worker.send({{"i", 1}}));
  for (int i = 0; i < 2; ++i) {
    pollfd event{worker.read_descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&event, 1, static_cast<int>(kPatience.count())), 1);
    json answer;
    ASSERT_EQ(worker.receive(answer, milliseconds(1000)), ReadResult::kMessage);
    EXPECT_EQ(answer["i"], i);
  }
  pollfd event{worker.read_descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&event, 1, 0), 0);
}

TEST(Subprocess, TimesOutOnAHangingWorkerAndKillsIt) {
  Subprocess worker(test_worker_command("puppet"));
  ASSERT_TRUE(worker.send({{"do", "hang"}}));
  json answer;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(worker.receive(answer, milliseconds(100)), ReadResult::kTimeout);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(100));
  EXPECT_FALSE(worker.try_wait().has_value());
  worker.kill();
  EXPECT_EQ(worker.wait().describe(), "killed by signal 9 (Killed)");
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kClosed);
}

TEST(Subprocess, AMessageThatComesAfterATimeoutIsWhole) {
  Subprocess worker(
      {"/bin/sh", "-c", R"(printf '\004\000'; sleep 2; printf '\000\000cab'; printf c)"});
  json answer;
  EXPECT_EQ(worker.receive(answer, milliseconds(100)), ReadResult::kTimeout);
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kMessage);
  EXPECT_EQ(answer, "abc");
}

TEST(Subprocess, SendToAWorkerThatReadsNothingTimesOut) {
  Subprocess worker({"/bin/sleep", "60"});
  EXPECT_FALSE(worker.send({{"text", std::string(8u << 20, 'x')}}, milliseconds(100)));
  json answer;
  EXPECT_EQ(worker.receive(answer, milliseconds(0)), ReadResult::kClosed)
      << "half a message was sent, so the channel is unusable";
}

TEST(Subprocess, ReportsTheExitCode) {
  Subprocess worker(test_worker_command("puppet"));
  ASSERT_TRUE(worker.send({{"do", "exit"}, {"code", 3}}));
  json answer;
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kClosed);
  EXPECT_EQ(worker.wait().describe(), "exit code 3");
  EXPECT_EQ(worker.wait().code, 3) << "waiting again returns the same";
}

TEST(Subprocess, ReportsTheSignalOfACrash) {
  Subprocess worker(test_worker_command("puppet"));
  ASSERT_TRUE(worker.send({{"do", "abort"}}));
  json answer;
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kClosed);
  EXPECT_EQ(worker.wait().describe(), "killed by signal 6 (Aborted)");
}

TEST(Subprocess, SendToADeadWorkerIsFalseAndRaisesNoSignal) {
  Subprocess worker({"/bin/true"});
  worker.wait();
  EXPECT_FALSE(worker.send({{"text", std::string(1u << 20, 'x')}}));
}

TEST(Subprocess, LastMessageOfADeadWorkerIsReceived) {
  Subprocess worker({"/bin/sh", "-c", R"(printf '\004\000\000\000cabc'; exit 7)"});
  worker.wait();
  json answer;
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kMessage);
  EXPECT_EQ(answer, "abc");
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kClosed);
}

TEST(Subprocess, GarbageOnStdoutCountsAsClosed) {
  Subprocess worker({"/bin/sh", "-c", "echo this is not a frame; sleep 60"});
  json answer;
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kClosed);
}

TEST(Subprocess, ABodyThatIsNotCborCountsAsClosed) {
  Subprocess worker({"/bin/sh", "-c", R"(printf '\003\000\000\000\377\377\377'; sleep 60)"});
  json answer;
  EXPECT_EQ(worker.receive(answer, kPatience), ReadResult::kClosed);
}

TEST(Subprocess, ADeadWorkerWhoseChildHoldsThePipeCountsAsClosed) {
  Subprocess worker({"/bin/sh", "-c", "sleep 60 & exit 0"});
  json answer;
  EXPECT_EQ(worker.receive(answer, milliseconds(-1)), ReadResult::kClosed);
}

TEST(Subprocess, PrintingDoesNotBreakTheFraming) {
  Subprocess worker(test_worker_command("puppet"));
  EXPECT_EQ(ask(worker, {{"do", "print"}}), "printed");
  worker.kill();
  worker.wait();
  EXPECT_EQ(worker.stderr_tail(), "a library prints\n");
}

TEST(Subprocess, KeepsTheEndOfStderr) {
  Subprocess worker(test_worker_command("puppet"));
  EXPECT_EQ(ask(worker, {{"do", "complain"}, {"lines", 50'000}}), "complained");
  worker.kill();
  worker.wait();
  const std::string tail = worker.stderr_tail();
  EXPECT_EQ(tail.size(), 64u << 10);
  EXPECT_TRUE(tail.ends_with("line 49998\nline 49999\n"));
}

TEST(Subprocess, StderrDoesNotStallAWorkerNobodyListensTo) {
  Subprocess worker({"/bin/sh", "-c", "head -c 1000000 /dev/zero >&2"});
  EXPECT_EQ(worker.wait().code, 0);
}

TEST(Subprocess, SaysWhichProgramCannotBeStarted) {
  try {
    Subprocess worker({"/no/such/program"});
    FAIL() << "started a program that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_STREQ(error.what(), "cannot start worker '/no/such/program': No such file or directory");
  }
}

TEST(Subprocess, LooksForAProgramInPath) {
  Subprocess worker({"true"});
  EXPECT_EQ(worker.wait().code, 0);
  try {
    Subprocess missing({"no-such-program-of-warpwright"});
    FAIL() << "started a program that does not exist";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot start worker 'no-such-program-of-warpwright': no such program in PATH");
  }
}

TEST(Subprocess, DestructionKillsTheWorkerAndWhatItStarted) {
  pid_t worker_pid = 0, child_pid = 0;
  {
    Subprocess worker(test_worker_command("puppet"));
    worker_pid = worker.pid();
    child_pid = ask(worker, {{"do", "child"}}).get<pid_t>();
    EXPECT_TRUE(process_exists(child_pid));
  }
  EXPECT_FALSE(process_exists(worker_pid));
  EXPECT_TRUE(gone_soon(child_pid));
}

TEST(Subprocess, DiesWithItsParent) {
  Subprocess parent(test_worker_command("parent"));
  json grandchild;
  ASSERT_EQ(parent.receive(grandchild, kPatience), ReadResult::kMessage);
  const pid_t pid = grandchild.get<pid_t>();
  EXPECT_TRUE(process_exists(pid));
  ::kill(parent.pid(), SIGKILL);  // the parent alone, not its group
  parent.wait();
  EXPECT_TRUE(gone_soon(pid));
}

TEST(Subprocess, OutlivesTheThreadThatStartedIt) {
  std::unique_ptr<Subprocess> worker;
  std::thread([&worker] {
    worker = std::make_unique<Subprocess>(test_worker_command("puppet"));
  }).join();
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(ask(*worker, {{"i", 1}})["i"], 1);
}

TEST(Subprocess, AWorkerEndsAtEndOfInput) {
  const std::vector<std::string> command = test_worker_command("puppet");
  Subprocess worker(
      {"/bin/sh", "-c",
       shell_word(command[0]) + " " + command[1] + " " + command[2] + " < /dev/null"});
  EXPECT_EQ(worker.wait().describe(), "exit code 0");
}

TEST(Subprocess, IgnoresInterruptsInAGroupOfItsOwn) {
  Subprocess worker(test_worker_command("puppet"));
  EXPECT_EQ(ask(worker, {{"do", "interrupt"}}), "still here");
  const json group = ask(worker, {{"do", "group"}});
  EXPECT_EQ(group[0], group[1]);
  EXPECT_NE(group[1], ::getpgid(0));
}

TEST(Subprocess, SeesOnlyItsOwnDescriptors) {
  // A descriptor that a careless library left inheritable.
  const int leaky = ::open("/dev/null", O_RDONLY);
  ASSERT_GE(leaky, 3);
  Subprocess other(test_worker_command("puppet"));
  Subprocess worker(test_worker_command("puppet"));
  EXPECT_EQ(ask(worker, {{"do", "descriptors"}}), json({0, 1, 2}));
  ::close(leaky);
}

TEST(Subprocess, ExtraVariablesReplaceInheritedOnes) {
  ::setenv("WARPWRIGHT_TEST_A", "inherited", 1);
  ::setenv("WARPWRIGHT_TEST_B", "inherited", 1);
  Subprocess worker(test_worker_command("puppet"), {}, {"WARPWRIGHT_TEST_B=given"});
  EXPECT_EQ(ask(worker, {{"do", "environment"}, {"name", "WARPWRIGHT_TEST_A"}}), "inherited");
  EXPECT_EQ(ask(worker, {{"do", "environment"}, {"name", "WARPWRIGHT_TEST_B"}}), "given");
}

TEST(Subprocess, MemoryLimitHolds) {
  if (!kLimitsWork) GTEST_SKIP() << "the address sanitizer needs unlimited memory";
  Subprocess worker(test_worker_command("puppet"), {.private_bytes = 512u << 20});
  EXPECT_EQ(ask(worker, {{"do", "allocate"}, {"bytes", 1u << 20}}), 1u << 20);
  EXPECT_EQ(ask(worker, {{"do", "allocate"}, {"bytes", 1u << 30}}), "no memory");
}

TEST(Subprocess, WritesNoCoreFiles) {
  Subprocess worker(test_worker_command("puppet"));
  EXPECT_EQ(ask(worker, {{"do", "core limit"}}), 0);
}

TEST(Subprocess, IsTakenFirstWhenTheMachineRunsOutOfMemory) {
  Subprocess worker(test_worker_command("puppet"));
  EXPECT_EQ(ask(worker, {{"do", "oom score"}}), 1000);
}

TEST(Subprocess, TellsNonsenseFromAnEnd) {
  Subprocess liar({"/bin/sh", "-c", "echo this is not a frame; sleep 60"});
  Subprocess quitter({"/bin/true"});
  json answer;
  EXPECT_EQ(liar.receive(answer, kPatience), ReadResult::kClosed);
  EXPECT_EQ(quitter.receive(answer, kPatience), ReadResult::kClosed);
  EXPECT_TRUE(liar.sent_nonsense());
  EXPECT_FALSE(quitter.sent_nonsense());
}

TEST(Subprocess, ManyThreadsStartWorkersAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> answered = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&answered] {
      for (int i = 0; i < 3; ++i) {
        Subprocess worker(test_worker_command("puppet"));
        if (ask(worker, {{"i", i}})["i"] == i) ++answered;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 24);
}

TEST(Subprocess, KillFromAnotherThreadEndsAWait) {
  Subprocess worker(test_worker_command("puppet"));
  ASSERT_TRUE(worker.send({{"do", "hang"}}));
  std::thread killer([&worker] {
    std::this_thread::sleep_for(milliseconds(50));
    worker.kill();
  });
  json answer;
  EXPECT_EQ(worker.receive(answer, milliseconds(-1)), ReadResult::kClosed);
  EXPECT_EQ(worker.wait().signal, SIGKILL);
  killer.join();
}

TEST(Frame, IsALittleEndianLengthAndCbor) {
  EXPECT_EQ(encode_frame("abc"), std::string("\x04\x00\x00\x00\x63"
                                             "abc",
                                             8));
}

TEST(Frame, RefusesLengthsAboveOneGigabyteAndZero) {
  FrameReader huge;
  EXPECT_EQ(huge.add(std::string("\x01\x00\x00\x40", 4)), FrameReader::State::kMalformed);
  FrameReader empty;
  EXPECT_EQ(empty.add(std::string("\x00\x00\x00\x00", 4)), FrameReader::State::kMalformed);
}

TEST(Frame, IsPutTogetherFromSingleBytes) {
  const std::string frame = encode_frame({{"a", 1}});
  FrameReader reader;
  for (std::size_t i = 0; i + 1 < frame.size(); ++i) {
    ASSERT_GT(reader.wanted(), 0u);
    ASSERT_EQ(reader.add(frame.substr(i, 1)), FrameReader::State::kIncomplete);
    EXPECT_TRUE(reader.in_frame());
  }
  EXPECT_EQ(reader.add(frame.substr(frame.size() - 1)), FrameReader::State::kComplete);
  EXPECT_EQ(reader.take(), json({{"a", 1}}));
  EXPECT_FALSE(reader.in_frame());
}

}  // namespace
}  // namespace warpwright
