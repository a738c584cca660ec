// Tests measuring workers that answer, lose their device or report a fault, one or several at a
// time. Misbehaving workers are tested in measure_isolation_test.cpp.
#include "workers/measure_pool.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "core/process/subprocess.h"
#include "trial/outcome_codec.h"
#include "workers/pool_fixture.h"

namespace warpwright {
namespace {

using testing::text_of;

// A measurer that does as the value DO says.
WARPWRIGHT_TEST_WORKER(fake_measurer) {
  WorkerChannel channel;
  nlohmann::json message;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      if (message["open"]["device"] == "refuses") {
        channel.send({{"error", {{"fault", "environment"}, {"message", "no such device"}}}});
        return 1;
      }
      channel.send({{"ready", true}});
      continue;
    }
    const auto request = message.at("trial").get<MeasureRequest>();
    const std::string what = text_of(request, "DO");
    if (what == "hang") pause();
    if (what == "fault") {
      channel.send({{"error", {{"fault", "user"}, {"message", "it does not fit"}}}});
      continue;
    }
    Outcome outcome;
    outcome.reason = std::to_string(getpid());
    outcome.worker_lost = what == "lose";
    channel.send({{"outcome", outcome}});
  }
  return 0;
}

class Pool : public testing::PoolUnderTest {
 public:
  explicit Pool(int slots = 1, const std::string& device = "emu:fake", int patience_ms = 60'000)
      : PoolUnderTest("fake_measurer", slots, device, patience_ms) {}
};

TEST(MeasurePool, OneWorkerServesManyTrials) {
  Pool pool;
  for (int i = 1; i <= 5; ++i) pool.submit(static_cast<std::uint64_t>(i), "answer");
  pool.wait_for(5);
  for (int i = 2; i <= 5; ++i) EXPECT_EQ(pool.outcomes.at(1).reason, pool.outcomes.at(i).reason);
  EXPECT_EQ(pool.pool->statistics().workers_started, 1u);
}

// The worker takes longer to start than these take to be submitted.
std::vector<std::uint64_t> order_of_twenty(bool any_order) {
  MeasurePoolOptions options;
  options.setup.device = "emu:fake";
  options.setup.kernel_file = "x/kernel.yaml";
  options.worker_command = test_worker_command("fake_measurer");
  options.any_order = any_order;
  testing::PoolUnderTest pool(std::move(options));
  for (std::uint64_t i = 1; i <= 20; ++i) pool.submit(i, "answer");
  pool.wait_for(20);
  return pool.order;
}

TEST(MeasurePool, RequestsRunInTheOrderGivenUnlessAnyWillDo) {
  std::vector<std::uint64_t> given(20);
  std::iota(given.begin(), given.end(), 1);
  EXPECT_EQ(order_of_twenty(false), given);
  const std::vector<std::uint64_t> any = order_of_twenty(true);
  EXPECT_NE(any, given);
  EXPECT_THAT(any, ::testing::UnorderedElementsAreArray(given));
}

TEST(MeasurePool, AWorkerThatLostItsDeviceIsReplaced) {
  Pool pool;
  pool.submit(1, "lose");
  pool.submit(2, "answer");
  pool.wait_for(2);
  EXPECT_EQ(pool.outcomes.at(1).status, Status::kOk);
  EXPECT_NE(pool.outcomes.at(1).reason, pool.outcomes.at(2).reason) << "the same process went on";
}

TEST(MeasurePool, AFaultOfTheUsersContractIsAnErrorOfThatTrial) {
  Pool pool;
  pool.submit(1, "fault");
  pool.submit(2, "answer");
  pool.wait_for(2);
  ASSERT_TRUE(pool.errors.contains(1));
  EXPECT_EQ(pool.errors.at(1).fault(), Fault::kUser);
  EXPECT_EQ(pool.errors.at(1).message(), "it does not fit");
  EXPECT_FALSE(pool.errors.contains(2));
}

TEST(MeasurePool, AWorkerThatCannotStartIsAnError) {
  Pool pool(1, "refuses");
  pool.submit(1, "answer");
  pool.wait_for(1);
  ASSERT_TRUE(pool.errors.contains(1));
  EXPECT_EQ(pool.errors.at(1).message(), "no such device");
}

TEST(MeasurePool, SeveralSlotsAreSeveralProcesses) {
  Pool pool(3);
  pool.submit(1, "hang");
  pool.submit(2, "hang");
  pool.submit(3, "answer");
  pool.wait_for(1);
  EXPECT_EQ(pool.outcomes.at(3).status, Status::kOk);
}

// Two devices of one kind. The worker's actions `refuses` and `hang` delay one of them.
class SharedPool : public testing::PoolUnderTest {
 public:
  SharedPool() : PoolUnderTest(options()) {}
  void submit_to(std::uint64_t ticket, const MeasurePlace& place, const char* what = "answer") {
    auto request = std::make_shared<MeasureRequest>();
    request->what.emplace<TrialToTime>().trial.configuration.values["DO"] = std::string(what);
    pool->submit(ticket, std::move(request), place);
  }

 private:
  static MeasurePoolOptions options() {
    MeasurePoolOptions options;
    options.setup.kernel_file = "x/kernel.yaml";
    options.devices = {{"fake:0"}, {"fake:1"}};
    options.worker_command = test_worker_command("fake_measurer");
    return options;
  }
};

// A process on a machine that is gone.
class LostProcess final : public WorkerProcess {
 public:
  bool send(const nlohmann::json&, std::chrono::milliseconds) override { return false; }
  ReadResult receive(nlohmann::json&, std::chrono::milliseconds) override {
    return ReadResult::kClosed;
  }
  [[nodiscard]] bool sent_nonsense() const override { return false; }
  void kill() override {}
  std::optional<ExitStatus> try_wait() override { return ExitStatus{-1, 0}; }
  std::string stderr_tail() override { return ""; }
  [[nodiscard]] std::string name() const override { return "process 1 of rank 1"; }
  [[nodiscard]] bool place_lost() const override { return true; }
};

// The first device, or all of them, are on a machine that is gone.
class PoolWithLosses : public testing::PoolUnderTest {
 public:
  explicit PoolWithLosses(bool all = false) : PoolUnderTest(options(all)) {}

 private:
  static MeasurePoolOptions options(bool all) {
    MeasurePoolOptions options;
    options.setup.kernel_file = "x/kernel.yaml";
    const WorkerLauncher lost = [](const std::vector<std::string>&, const WorkerLimits&) {
      return std::make_shared<LostProcess>();
    };
    options.devices = {{"node7/cuda:0", 2, lost}, {"node8/cuda:0", 1, all ? lost : launch_here}};
    options.worker_command = test_worker_command("fake_measurer");
    return options;
  }
};

TEST(MeasurePool, TheTrialsOfALostMachineGoToAnother) {
  PoolWithLosses pool;
  for (std::uint64_t ticket = 1; ticket <= 4; ++ticket) pool.submit(ticket, "answer");
  pool.wait_for(4);
  for (std::uint64_t ticket = 1; ticket <= 4; ++ticket) {
    EXPECT_EQ(pool.devices.at(ticket), 1u);
    EXPECT_EQ(pool.outcomes.at(ticket).status, Status::kOk);
  }
}

TEST(MeasurePool, WhatNamesALostDeviceIsAnErrorThatSaysSo) {
  PoolWithLosses pool;
  auto request = std::make_shared<MeasureRequest>();
  request->what.emplace<TrialToTime>();
  pool.pool->submit(1, std::move(request), {0});
  pool.wait_for(1);
  EXPECT_EQ(pool.errors.at(1).fault(), Fault::kEnvironment);
  EXPECT_EQ(
      pool.errors.at(1).message(),
      "node7/cuda:0 is gone with the machine that it was in, and no other can take its place");
  EXPECT_EQ(pool.lost, std::vector<std::uint64_t>{1});
}

TEST(MeasurePool, WithoutADeviceLeftNothingWaitsForEver) {
  PoolWithLosses pool(/*all=*/true);
  for (std::uint64_t ticket = 1; ticket <= 3; ++ticket) pool.submit(ticket, "answer");
  pool.wait_for(3);
  EXPECT_EQ(pool.lost.size(), 3u);
}

TEST(MeasurePool, WhicheverDeviceIsFreeTakesTheNext) {
  SharedPool pool;
  pool.submit_to(1, {0}, "hang");
  for (std::uint64_t ticket : {2, 3, 4}) pool.submit_to(ticket, {});
  pool.wait_for(3);
  for (std::uint64_t ticket : {2, 3, 4}) EXPECT_EQ(pool.devices.at(ticket), 1u);
  EXPECT_EQ(pool.pool->statistics().busy_of_device.size(), 2u);
}

TEST(MeasurePool, WhatNamesADeviceRunsThereFirst) {
  SharedPool pool;
  pool.submit_to(1, {1}, "hang");
  pool.submit_to(2, {});
  pool.wait_for(1);
  EXPECT_EQ(pool.devices.at(2), 0u);
  pool.submit_to(3, {1});
  pool.submit_to(4, {0});
  pool.wait_for(2);
  EXPECT_EQ(pool.devices.at(4), 0u);
  EXPECT_FALSE(pool.outcomes.contains(3)) << "its device hangs";
}

TEST(MeasurePool, LowerTurnsComeFirst) {
  SharedPool pool;
  pool.submit_to(9, {1}, "hang");
  pool.pool->reserve(0, 7);
  pool.submit_to(3, {std::nullopt, 3});
  pool.submit_to(2, {std::nullopt, 2});
  pool.submit_to(1, {std::nullopt, 1});
  pool.pool->reserve(0, std::nullopt);
  pool.wait_for(3);
  EXPECT_THAT(pool.order, ::testing::ElementsAre(1, 2, 3));
}

TEST(MeasurePool, AReservedDeviceLeavesOtherTurnsToOthers) {
  SharedPool pool;
  pool.pool->reserve(0, 1);
  for (std::uint64_t ticket = 1; ticket <= 6; ++ticket) pool.submit_to(ticket, {std::nullopt, 2});
  pool.wait_for(6);
  for (const auto& [ticket, device] : pool.devices) EXPECT_EQ(device, 1u);
  pool.submit_to(7, {0});
  pool.submit_to(8, {1}, "hang");
  pool.submit_to(9, {std::nullopt, 1});
  pool.wait_for(8);
  EXPECT_EQ(pool.devices.at(7), 0u) << "named";
  EXPECT_EQ(pool.devices.at(9), 0u) << "the request belongs to the turn that it is reserved for";
}

TEST(MeasurePool, CancelledRequestsComeBackAsTickets) {
  Pool pool;
  pool.submit(1, "hang");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  pool.submit(2, "answer");
  pool.submit(3, "answer");
  const std::vector<std::uint64_t> dropped = pool.pool->cancel_queued();
  EXPECT_THAT(dropped, ::testing::IsSupersetOf({2u, 3u}));
}

TEST(MeasurePool, OneQueuedRequestCanBeCancelled) {
  Pool pool;
  pool.submit(1, "answer");
  pool.wait_for(1);
  pool.submit(2, "hang");
  pool.submit(3, "answer");
  EXPECT_TRUE(pool.pool->cancel(3));
  EXPECT_FALSE(pool.pool->cancel(3)) << "it is gone already";
}

TEST(MeasurePool, EndingThePoolEndsAHangingTrial) {
  Pool pool;
  pool.submit(1, "hang");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  pool.pool.reset();
  SUCCEED() << "the destructor returned";
}

}  // namespace
}  // namespace warpwright
