// Measuring workers that answer, crash, hang, or report a fault; each costs one trial and no more.
#include "run/measure_pool.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/subprocess.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

std::string text_of(const MeasureRequest& request, const std::string& name) {
  const auto it = request.configuration.values.find(name);
  return it == request.configuration.values.end() ? "" : it->second.to_string();
}

// A measurer that does what the value DO says.
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
    if (what == "crash") {
      std::fprintf(stderr, "the measurer's last words\n");
      std::fflush(stderr);
      raise(SIGKILL);
    }
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

class Pool {
 public:
  explicit Pool(int slots = 1, const std::string& device = "emu:fake", int timeout_ms = 60'000) {
    MeasurePoolOptions options;
    options.setup.device = device;
    options.slots = slots;
    options.worker_command = test_worker_command("fake_measurer");
    options.trial_timeout = std::chrono::milliseconds(timeout_ms);
    pool = std::make_unique<MeasurePool>(
        options, [this](std::uint64_t ticket, Outcome outcome, std::optional<Error> error) {
          const std::lock_guard lock(mutex_);
          outcomes[ticket] = std::move(outcome);
          if (error) errors.emplace(ticket, *error);
          wake_.notify_all();
        });
  }
  ~Pool() { pool.reset(); }

  void submit(std::uint64_t ticket, const std::string& what) const {
    auto request = std::make_shared<MeasureRequest>();
    request->configuration.values["DO"] = what;
    pool->submit(ticket, std::move(request));
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(
        wake_.wait_for(lock, std::chrono::seconds(60), [&] { return outcomes.size() >= count; }));
  }

  std::map<std::uint64_t, Outcome> outcomes;
  std::map<std::uint64_t, Error> errors;
  std::unique_ptr<MeasurePool> pool;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
};

TEST(MeasurePool, OneWorkerServesManyTrials) {
  Pool pool;
  for (int i = 1; i <= 5; ++i) pool.submit(static_cast<std::uint64_t>(i), "answer");
  pool.wait_for(5);
  for (int i = 2; i <= 5; ++i) EXPECT_EQ(pool.outcomes.at(1).reason, pool.outcomes.at(i).reason);
  EXPECT_EQ(pool.pool->statistics().workers_started, 1u);
}

TEST(MeasurePool, ACrashCostsOneTrialAndSaysHowTheWorkerDied) {
  Pool pool;
  pool.submit(1, "crash");
  pool.submit(2, "answer");
  pool.wait_for(2);
  EXPECT_EQ(pool.outcomes.at(1).status, Status::kCrashed);
  EXPECT_THAT(pool.outcomes.at(1).reason,
              HasSubstr("the measuring process died: killed by signal 9"));
  EXPECT_THAT(pool.outcomes.at(1).reason, HasSubstr("the measurer's last words"));
  EXPECT_EQ(pool.outcomes.at(2).status, Status::kOk);
  EXPECT_EQ(pool.pool->statistics().workers_lost, 1u);
}

TEST(MeasurePool, AHangIsEndedAndCostsOneTrial) {
  Pool pool(1, "emu:fake", 2000);
  pool.submit(1, "hang");
  pool.submit(2, "answer");
  pool.wait_for(2);
  EXPECT_EQ(pool.outcomes.at(1).status, Status::kTimeout);
  EXPECT_EQ(pool.outcomes.at(1).reason,
            "the measuring process gave no answer within 2 s and was killed");
  EXPECT_EQ(pool.outcomes.at(2).status, Status::kOk);
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

TEST(MeasurePool, CancelledRequestsComeBackAsTickets) {
  Pool pool;
  pool.submit(1, "hang");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  pool.submit(2, "answer");
  pool.submit(3, "answer");
  const std::vector<std::uint64_t> dropped = pool.pool->cancel_queued();
  EXPECT_THAT(dropped, ::testing::IsSupersetOf({2u, 3u}));
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
