// Scratch with a fill: it is filled before the first launch, and from then on holds the values that
// the kernel leaves.
#include <gmock/gmock.h>

#include <cmath>

#include "core/error.h"
#include "trial/launch/launch_plan.h"
#include "trial/trial_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The kernel receives one integer that the contract sets to 7 and, as the last argument, ordinary
// scratch.
class ScratchFillTest : public TrialRunnerTest {
 protected:
  ScratchFillTest() {
    files.replace("  - {name: count, value: rows * V}",
                  "  - {name: count, value: rows * V}\n"
                  "  - {name: ticket, scratch: i32, shape: [1], fill: constant(7)}\n"
                  "  - {name: work, scratch: f32, shape: [1]}");
    files.replace("fill: \"normal(0, 1)\"", "fill: \"sequence(0, 1)\"");  // one seed
    device.kernels["twice"] = [this](const FakeArguments& arguments, LaunchResult&) {
      int& ticket = *arguments.pointer<int>(3);
      found.push_back(ticket);
      found_work.push_back(*arguments.pointer<float>(4));
      twice(arguments);
      ++ticket;
    };
  }

  std::vector<int> found;
  std::vector<float> found_work;
};

TEST_F(ScratchFillTest, IsFilledBeforeRuns1To4AndKeptBeforeRun5) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  found.resize(5);  // the rest belong to the case
  EXPECT_THAT(found, ElementsAre(7, 7, 7, 7, 8));
}

TEST_F(ScratchFillTest, OtherScratchIsStillPoisoned) {
  run();
  EXPECT_TRUE(std::isnan(found_work.at(0)));
  EXPECT_TRUE(std::isnan(found_work.at(1)));
  EXPECT_GT(found_work.at(2), 1e30f);
}

TEST_F(ScratchFillTest, ACounterThatIsNotSetBackIsFound) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    int& ticket = *arguments.pointer<int>(3);
    if (ticket == 7) twice(arguments);
    ticket = 8;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason,
              AllOf(StartsWith("output 'y' differs between run 1 and run 5 at [0, 0]: "),
                    HasSubstr("; run 5 found scratch as run 4 left it: does every launch leave "
                              "'ticket' ready for the next, and initialise what else it uses?")));
}

TEST_F(ScratchFillTest, ALaunchThatFailsBecauseOfItSaysSo) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult& result) {
    int& ticket = *arguments.pointer<int>(3);
    twice(arguments);
    if (ticket != 7) {
      result.status = Status::kTimeout;
      result.reason = "did not finish";
    }
    ticket = 8;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kTimeout);
  EXPECT_EQ(outcome.reason,
            "in run 5: did not finish; run 5 found scratch as run 4 left it: does every launch "
            "leave 'ticket' ready for the next, and initialise what else it uses?");
}

TEST_F(ScratchFillTest, TimedLaunchesStartFromTheFill) {
  device.device_info.has_clock = true;
  std::size_t before = 0;
  device.sampler = [&](const TimingRequest&, int wanted) {
    if (before == 0) before = found.size() - 1;  // the plan has launched once
    Samples samples;
    samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 10);
    return samples;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  ASSERT_GT(before, 0u);
  EXPECT_EQ(found.at(4), 8) << "run 5 found what run 4 left";
  for (std::size_t sample = before; sample < found.size(); ++sample)
    EXPECT_EQ(found.at(sample), 7) << "it is filled again before every sample";
}

TEST_F(ScratchFillTest, IsGuarded) {
  then([](const FakeArguments& arguments) { arguments.pointer<int>(3)[1] = 0; });
  EXPECT_EQ(run().reason, "wrote outside of 'ticket': 0 bytes past its end of 4 bytes");
}

TEST_F(ScratchFillTest, MayDependOnParameters) {
  files.replace("fill: constant(7)", "fill: constant(THREADS)");
  run();
  EXPECT_EQ(found.at(0), 128);
}

TEST_F(ScratchFillTest, TellsConfigurationsApart) {
  files.replace("fill: constant(7)", "fill: constant(THREADS / 100)");
  files.replace("grid: [\"ceil_div(rows * V, THREADS)\"], block: [THREADS]", "grid: 1, block: 32");
  const auto identity = [&](int threads) {
    return launch_identity(files.read(), tiny_configuration(threads), tiny_problem(),
                           device.info());
  };
  EXPECT_EQ(identity(128), identity(192));
  EXPECT_NE(identity(128), identity(256));
}

TEST_F(ScratchFillTest, AMistakeInTheFillIsTheUsersWithItsPlace) {
  files.replace("fill: constant(7)", "fill: constnt(7)");
  try {
    run();
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("kernel.yaml:10:"), HasSubstr("'constnt'")));
  }
}

}  // namespace
}  // namespace warpwright::testing
