// Tests workers at another rank, over a link within one process: the messages that cross it, and
// the handling of a lost rank.
#include "nodes/remote_nodes.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/process/subprocess.h"
#include "nodes/fake_link.h"
#include "nodes/node_agent.h"
#include "support/error_text.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using testing::FakeLink;
using testing::FakeNetwork;
using ::testing::HasSubstr;
using Read = WorkerProcess::ReadResult;

constexpr milliseconds kLong{60'000};

WARPWRIGHT_TEST_WORKER(echo_of_node) {
  WorkerChannel channel;
  json message;
  while (channel.receive(message)) {
    if (message.contains("die")) {
      std::fprintf(stderr, "the last words\n");
      std::fflush(stderr);
      std::raise(SIGKILL);
    }
    channel.send({{"echo", message}});
  }
  return 0;
}

DeviceList one_emulator() {
  DeviceInfo info;
  info.id = "emu:sm_90a";
  return {{info}, "no driver"};
}

// Runs rank 0, and agents in threads of this process.
class RemoteNodesTest : public ::testing::Test {
 protected:
  void start(int agents = 1, AgentOptions options = {.devices = one_emulator},
             NodeTimes times = {milliseconds(50), kLong}) {
    network_ = std::make_shared<FakeNetwork>(agents + 1);
    for (int rank = 0; rank <= agents; ++rank)
      links_.push_back(std::make_unique<FakeLink>(network_, rank));
    ends_.resize(static_cast<std::size_t>(agents) + 1);
    for (int rank = 1; rank <= agents; ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      threads_.emplace_back(
          [this, index, options] { ends_[index] = run_node_agent(*links_[index], options); });
    }
    nodes_ = std::make_unique<RemoteNodes>(*links_[0], times);
  }
  void TearDown() override {
    nodes_.reset();
    for (std::thread& thread : threads_) thread.join();
  }
  std::shared_ptr<WorkerProcess> echo(std::size_t node = 0) {
    return nodes_->gather()[node].start(test_worker_command("echo_of_node"), {});
  }
  static json ask(WorkerProcess& worker, const json& question) {
    json answer;
    EXPECT_TRUE(worker.send(question, kLong));
    EXPECT_EQ(worker.receive(answer, kLong), Read::kMessage);
    return answer;
  }
  static std::optional<ExitStatus> end_of(WorkerProcess& worker) {
    json ignored;
    while (worker.receive(ignored, kLong) == Read::kMessage) {
    }
    for (int i = 0; i < 6000 && !worker.try_wait(); ++i)
      std::this_thread::sleep_for(milliseconds(5));
    return worker.try_wait();
  }

  std::shared_ptr<FakeNetwork> network_;
  std::vector<std::unique_ptr<FakeLink>> links_;
  std::vector<AgentEnd> ends_;
  std::vector<std::thread> threads_;
  std::unique_ptr<RemoteNodes> nodes_;
};

TEST_F(RemoteNodesTest, ARankTellsWhatItHas) {
  start();
  const WorkerNode& node = nodes_->gather().front();
  EXPECT_EQ(node.name, "rank 1 on " + node.host);
  EXPECT_GE(node.cores, 1);
  EXPECT_EQ(node.devices.devices.front().id, "emu:sm_90a");
  EXPECT_EQ(node.devices.why_no_cuda, "no driver");
}

TEST_F(RemoteNodesTest, AFrameGoesToAWorkerAndItsAnswerBack) {
  start();
  const auto worker = echo();
  EXPECT_EQ(ask(*worker, {{"n", 1}}), json({{"echo", {{"n", 1}}}}));
  EXPECT_THAT(worker->name(), HasSubstr(" of rank 1 on "));
}

TEST_F(RemoteNodesTest, ADeathComesWithTheLastWords) {
  start();
  const auto worker = echo();
  EXPECT_TRUE(worker->send({{"die", true}}, kLong));
  const std::optional<ExitStatus> end = end_of(*worker);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_EQ(worker->stderr_tail(), "the last words\n");
  EXPECT_FALSE(worker->place_lost());
}

TEST_F(RemoteNodesTest, AKilledWorkerEnds) {
  start();
  const auto worker = echo();
  worker->kill();
  EXPECT_EQ(end_of(*worker)->signal, SIGKILL);
  EXPECT_FALSE(worker->send({{"n", 1}}, kLong));
}

TEST_F(RemoteNodesTest, CodeTravelsOnceToARank) {
  start();
  const json trial = {{"ptx", std::string(100'000, 'p')}};
  const auto worker = echo();
  EXPECT_EQ(ask(*worker, trial)["echo"], trial);
  EXPECT_GT(network_->largest_to(1), 100'000u);
  EXPECT_EQ(ask(*worker, trial)["echo"], trial);
  EXPECT_EQ(ask(*echo(), trial)["echo"], trial) << "to another worker";
  EXPECT_LT(network_->largest_to(1), 1000u);
}

TEST_F(RemoteNodesTest, WhatARankHasForgottenItAsksFor) {
  start(1, {.cache_bytes = 1, .devices = one_emulator});
  const json trial = {{"ptx", std::string(100'000, 'p')}, {"cubin", std::string(3000, 'c')}};
  const auto worker = echo();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(*worker, trial)["echo"], trial);
}

TEST_F(RemoteNodesTest, ARankThatFallsSilentIsLostOnceAndForAll) {
  start(2, {.devices = one_emulator}, {milliseconds(20), milliseconds(1500)});
  const auto worker = echo(0);
  const auto other = echo(1);
  std::vector<std::string> lines;
  std::vector<bool> last;
  std::mutex mutex;
  nodes_->on_lost([&](const std::string& line, bool is_last) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
    last.push_back(is_last);
  });
  const std::string name = nodes_->gather()[0].name;
  network_->hold(1);
  EXPECT_TRUE(worker->send({{"n", 1}}, kLong));
  json answer;
  EXPECT_EQ(worker->receive(answer, kLong), Read::kClosed);
  EXPECT_TRUE(worker->place_lost());
  // Its late messages change nothing.
  network_->let_go(1);
  EXPECT_EQ(ask(*other, {{"n", 2}})["echo"]["n"], 2);
  EXPECT_EQ(worker->receive(answer, milliseconds(200)), Read::kClosed);
  EXPECT_TRUE(echo(0)->place_lost());
  const std::lock_guard lock(mutex);
  EXPECT_THAT(lines, ElementsAre(name + " is lost: nothing was heard of it for 1.5 s; what it was "
                                        "doing is done elsewhere"));
  EXPECT_THAT(last, ElementsAre(false));
  EXPECT_FALSE(nodes_->complete());
}

TEST_F(RemoteNodesTest, ARankThatNothingCanBeSentToIsLostAtOnce) {
  start();
  const auto worker = echo();
  network_->tell_lost(0, 1);
  json answer;
  EXPECT_EQ(worker->receive(answer, kLong), Read::kClosed);
  bool all_lost = false;
  nodes_->on_lost([&](const std::string& line, bool is_last) {
    EXPECT_THAT(line, HasSubstr("is lost: its process has ended; "));
    all_lost = is_last;
  });
  EXPECT_TRUE(all_lost) << "ranks lost before are reported, too";
  // The agent is alive, and a rank 0 that has given it up does not order it to end.
  network_->tell_lost(1, 0);
}

TEST_F(RemoteNodesTest, AnAgentEndsWithRank0) {
  start();
  (void)nodes_->gather();
  nodes_.reset();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  EXPECT_TRUE(ends_[1].complete);
}

TEST_F(RemoteNodesTest, AnAgentThatHearsNothingEndsAndItsWorkersToo) {
  start(1, {.devices = one_emulator}, {milliseconds(20), milliseconds(1000)});
  const auto worker = echo();
  network_->hold(0);
  threads_.front().join();
  threads_.clear();
  EXPECT_FALSE(ends_[1].complete);
  EXPECT_EQ(ends_[1].why, "nothing was heard of rank 0 for 1 s");
  EXPECT_EQ(end_of(*worker)->code, -1) << "with its rank";
}

TEST_F(RemoteNodesTest, AnotherBuildOfTheProgramIsRefused) {
  start(1, {.program = "/proc/version", .devices = one_emulator});
  const std::string said = testing::error_text([&] { (void)nodes_->gather(); });
  EXPECT_THAT(said, HasSubstr(" runs another build of the program, /proc/version: expected the "
                              "same everywhere, by a shared folder or the same package"));
}

TEST_F(RemoteNodesTest, ARankThatCannotTakePartSaysWhy) {
  start(1, {.devices = []() -> DeviceList { throw environment_error("the driver hangs"); }});
  EXPECT_THAT(testing::error_text([&] { (void)nodes_->gather(); }),
              ::testing::StartsWith("the driver hangs\n  rank 1 on "));
}

TEST(NodeTimes, ASilenceThatIsNoTimeIsTheUsersFault) {
  ::setenv("WARPWRIGHT_RANK_SILENCE", "often", 1);
  EXPECT_EQ(
      testing::error_text([] { (void)node_times_from_environment(); }),
      "WARPWRIGHT_RANK_SILENCE: got 'often', expected a time as in 20s: a rank that is silent "
      "for so long counts as lost");
  ::setenv("WARPWRIGHT_RANK_SILENCE", "500ms", 1);
  ::unsetenv("WARPWRIGHT_RANK_SILENCE");
}

}  // namespace
}  // namespace warpwright
