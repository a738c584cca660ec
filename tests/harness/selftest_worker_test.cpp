// A request to a worker process: its answer, its error, its death.
#include "harness/selftest/selftest_worker.h"

#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/process/subprocess.h"
#include "harness/known_device.h"
#include "harness/selftest/ranking_section.h"
#include "harness/selftest/timers.h"
#include "support/error_text.h"
#include "support/test_worker.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

// Runs the task.
WARPWRIGHT_TEST_WORKER(fake_selftest) {
  WorkerChannel channel;
  nlohmann::json message;
  if (!channel.receive(message)) return 0;
  const std::string what = message.at("task").at("do").get<std::string>();
  if (what == "die") {
    std::fprintf(stderr, "last words\n");
    std::fflush(stderr);
    raise(SIGKILL);
  }
  if (what == "fault") {
    channel.send({{"error", {{"fault", "user"}, {"message", "it does not fit"}}}});
  } else {
    channel.send({{"result", {{"device", message.at("setup").at("device")}}}});
  }
  return 0;
}

nlohmann::json ask(const std::string& what) {
  return ask_selftest_worker(test_worker_command("fake_selftest"), known_setup(), {{"do", what}});
}

TEST(SelftestWorker, GetsTheSetupAndAnswers) { EXPECT_EQ(ask("answer").at("device"), "fake:0"); }

TEST(SelftestWorker, ItsErrorKeepsItsFault) {
  try {
    (void)ask("fault");
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_EQ(error.message(), "it does not fit");
  }
}

TEST(SelftestWorker, ItsDeathIsAnErrorWithItsLastWords) {
  const std::string text = error_text([] { (void)ask("die"); });
  EXPECT_THAT(text, HasSubstr("the process for 'die' died: killed by signal 9"));
  EXPECT_THAT(text, HasSubstr("last words"));
}

TEST(SelftestWorker, TheSetupCrossesThePipeWhole) {
  const nlohmann::json json = known_setup();
  EXPECT_EQ(nlohmann::json(json.get<HarnessSetup>()), json);
}

TEST(SelftestWorker, DoesATaskByItsName) {
  KnownBench known;
  const nlohmann::json timed = do_task(
      known.bench, {{"do", "timer"}, {"kernel", "spin"}, {"target_us", 50}, {"size", 1000}});
  EXPECT_EQ(timed.get<TimerReport>().size, 1000);
  const nlohmann::json raced =
      do_task(known.bench, {{"do", "races"}, {"races", 1}, {"slower_permille", 0}});
  EXPECT_EQ(raced.get<RaceRuns>().race_us.size(), 1u);
}

}  // namespace
}  // namespace warpwright::testing
