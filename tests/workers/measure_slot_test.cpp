// Tests samples of a trial that a worker keeps: its answers, and the result when it does not
// answer.
#include "workers/measure_slot.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "core/process/subprocess.h"
#include "trial/outcome_codec.h"
#include "workers/pool_fixture.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;
using testing::text_of;

// Keeps every trial; DO selects its behaviour when samples are requested.
WARPWRIGHT_TEST_WORKER(keeping_measurer) {
  WorkerChannel channel;
  nlohmann::json message;
  std::string what;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      channel.send({{"ready", true}});
    } else if (message.contains("trial")) {
      const auto request = message.at("trial").get<MeasureRequest>();
      what = std::holds_alternative<TrialToKeep>(request.what) ? text_of(request, "DO")
                                                               : "was not told to keep";
      channel.send({{"outcome", Outcome()}});
    } else if (message.contains("sample")) {
      channel.send({{"phase", "measure"}});
      if (what == "die") std::raise(SIGKILL);
      if (what == "hang") {
        for (;;) ::pause();
      }
      TakenSamples samples;
      samples.raw_us.assign(message["sample"].get<std::size_t>(), 12.5);
      samples.floor_us = 2.5;
      samples.protocol = what;
      if (what == "lose the device") {
        samples.status = Status::kLaunchFailed;
        samples.reason = "an illegal address";
        samples.worker_lost = true;
      }
      channel.send({{"samples", samples}});
    } else {
      Outcome outcome;
      outcome.status = what == "spoil" ? Status::kWrongResult : Status::kOk;
      channel.send({{"outcome", outcome}});
    }
  }
  return 0;
}

class KeepingSlot : public ::testing::Test {
 protected:
  KeepingSlot() : slot_(options()) {}

  static MeasureSlotOptions options() {
    MeasureSlotOptions options;
    options.setup.device = "emu:fake";
    options.worker_command = test_worker_command("keeping_measurer");
    options.patience = std::chrono::milliseconds(1500);
    return options;
  }
  void keep(const std::string& what) {
    MeasureRequest request;
    request.what.emplace<TrialToKeep>().trial.configuration.values["DO"] = what;
    ASSERT_TRUE(slot_.attempt(request).outcome.has_value());
  }

  MeasureSlot slot_;
};

TEST_F(KeepingSlot, SamplesComeAsOftenAsTheyAreAskedFor) {
  keep("well");
  for (const int wanted : {1, 300}) {
    const MeasureAttempt attempt = slot_.sample(wanted);
    ASSERT_TRUE(attempt.samples.has_value()) << attempt.death;
    EXPECT_EQ(attempt.samples->raw_us, std::vector<double>(static_cast<std::size_t>(wanted), 12.5));
    EXPECT_EQ(attempt.samples->floor_us, 2.5);
    EXPECT_EQ(attempt.samples->protocol, "well");
  }
  EXPECT_EQ(slot_.recheck().outcome->status, Status::kOk);
  EXPECT_TRUE(slot_.alive());
}

TEST_F(KeepingSlot, ARecheckMayFindItWrong) {
  keep("spoil");
  EXPECT_EQ(slot_.recheck().outcome->status, Status::kWrongResult);
}

TEST_F(KeepingSlot, AWorkerThatFallsSilentIsKilled) {
  keep("hang");
  const MeasureAttempt attempt = slot_.sample(5);
  EXPECT_FALSE(attempt.samples.has_value());
  ASSERT_TRUE(attempt.outcome.has_value());
  EXPECT_EQ(attempt.outcome->status, Status::kTimeout);
  EXPECT_EQ(attempt.outcome->reason,
            "the measuring process was silent for 1.5 s and was killed while being timed");
  EXPECT_FALSE(slot_.alive());
}

TEST_F(KeepingSlot, AWorkerThatDiesSaysHow) {
  keep("die");
  const MeasureAttempt attempt = slot_.sample(5);
  EXPECT_FALSE(attempt.samples.has_value());
  EXPECT_THAT(attempt.death, HasSubstr("killed by signal 9 (Killed) while being timed"));
  EXPECT_FALSE(slot_.alive());
}

TEST_F(KeepingSlot, AWorkerThatLostItsDeviceIsLetGo) {
  keep("lose the device");
  const MeasureAttempt attempt = slot_.sample(5);
  EXPECT_EQ(attempt.samples->reason, "an illegal address");
  EXPECT_FALSE(slot_.alive());
  keep("well");
  EXPECT_EQ(slot_.sample(2).samples->raw_us.size(), 2u);
}

}  // namespace
}  // namespace warpwright
