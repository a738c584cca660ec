// Tests the result of a sequence whose process answers, fails, falls silent or dies.
#include "workers/sequence_worker.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

using ::testing::StartsWith;

// Does as the name of the first step says.
WARPWRIGHT_TEST_WORKER(sequence_actor) {
  WorkerChannel channel;
  nlohmann::json message;
  if (!channel.receive(message)) return 0;
  const auto request = message.at("sequence").get<SequenceRequest>();
  const std::string what = request.steps.front().name;
  if (what == "die early") std::raise(SIGKILL);
  channel.send({{"phase", what == "hang in reference" ? "reference" : "validate"}, {"step", what}});
  if (what == "die") std::raise(SIGKILL);
  if (what.starts_with("hang")) {
    for (;;) ::pause();
  }
  if (what == "complain") {
    channel.send({{"error", {{"fault", "user"}, {"message", "k.yaml:1:1: no"}}}});
    return 1;
  }
  SequenceResult result;
  result.launches = request.steps.size();
  result.without_hot = request.steps.back().inputs.front().output;
  channel.send({{"result", result}});
  return 0;
}

class SequenceWorkerTest : public ::testing::Test {
 protected:
  SequenceWorkerTest() {
    worker_.command = test_worker_command("sequence_actor");
    worker_.patience = std::chrono::milliseconds(60'000);
    worker_.on_phase = [this](const std::string& step, const std::string& phase) {
      phases_.push_back(step + ": " + phase);
    };
  }
  SequenceResult ask(const std::string& what) {
    SequenceRequest request;
    request.device = "emu:sm_90a";
    request.steps.resize(2);
    request.steps[0].name = what;
    request.steps[1].name = "second";
    request.steps[1].inputs = {{"x", 0, "y", 8}};
    return ask_sequence_worker(worker_, request);
  }

  SequenceWorker worker_;
  std::vector<std::string> phases_;
};

TEST_F(SequenceWorkerTest, AnswersWithItsResult) {
  const SequenceResult result = ask("work");
  EXPECT_EQ(result.status, Status::kOk);
  EXPECT_EQ(result.launches, 2u);
  EXPECT_EQ(result.without_hot, "y");
  EXPECT_EQ(phases_, std::vector<std::string>{"work: validate"});
}

TEST_F(SequenceWorkerTest, ADeathIsAResultWithItsPlace) {
  const SequenceResult result = ask("die");
  EXPECT_EQ(result.status, Status::kCrashed);
  EXPECT_EQ(result.reason,
            "the measuring process ended while checking results of step 'die': killed by signal 9 "
            "(Killed)");
}

TEST_F(SequenceWorkerTest, ADeathBeforeAnythingIsAResult) {
  EXPECT_EQ(ask("die early").reason, "the measuring process ended: killed by signal 9 (Killed)");
}

TEST_F(SequenceWorkerTest, ASilentKernelIsATimeout) {
  worker_.patience = std::chrono::milliseconds(500);
  const SequenceResult result = ask("hang");
  EXPECT_EQ(result.status, Status::kTimeout);
  EXPECT_EQ(result.reason,
            "the measuring process was silent for 0.5 s while checking results of step 'hang' and "
            "was killed");
}

TEST_F(SequenceWorkerTest, ASilentReferenceIsTheUsersFault) {
  worker_.patience = std::chrono::milliseconds(500);
  try {
    (void)ask("hang in reference");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_THAT(error.message(), StartsWith("the measuring process was silent for 0.5 s while "
                                            "computing the reference"));
  }
}

TEST_F(SequenceWorkerTest, AnErrorKeepsItsFault) {
  try {
    (void)ask("complain");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_EQ(error.message(), "k.yaml:1:1: no");
  }
}

}  // namespace
}  // namespace warpwright
