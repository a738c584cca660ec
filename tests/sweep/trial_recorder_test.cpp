// Tests when the consequences of stored trials happen, and which trial stands if another sweep was
// first.
#include "sweep/trial_recorder.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TrialRecorderTest : public ::testing::Test {
 protected:
  TrialRecorderTest() {
    write_square_kernel(folder_.path());
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 8}]\nspace:\n  THREADS: [32, 64]\n"
               "  PER_THREAD: [1]\n");
    options_.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    DeviceInfo device;
    device.id = "fake:0";
    device.name = "fake";
    device.arch = "sm_90a";
    device.has_clock = true;
    plan_ = make_plan(options_, paths, {device});
    records_.open(options_, plan_, "99.1");
  }

  TrialTask task(std::uint64_t index) {
    TrialTask task;
    task.question = {0, index, ""};
    task.trial().configuration = plan_.boards[0].space->at(index);
    task.trial().problem = plan_.boards[0].summary.problem;
    task.identity.variant_hash = records_.variant_hash(task.trial().configuration.variant);
    task.identity.started_utc = "2026-03-01T12:00:00Z";
    task.compile_key = "key";
    return task;
  }
  TrialRecorder recorder(bool fresh = false) {
    return {plan_,
            fresh,
            stored_,
            records_,
            host_,
            [this](const TrialTask& task, const TrialRecord& /*trial*/,
                   const std::optional<KnownTrial>& known) {
              happened_.push_back(std::to_string(task.question.index) + (known ? " known" : ""));
            }};
  }
  std::size_t rows() const { return database_.trials({.newest_per_key = false}).size(); }

  TemporaryFolder folder_;
  SweepOptions options_;
  SweepPlan plan_;
  Database database_{folder_.path() / "x.db"};
  RunRecords records_{database_};
  PossibleTimes possible_{plan_, database_};
  ContractWatch contracts_{plan_, records_};
  WorkerHost host_;
  StoredTrials stored_{options_, plan_, records_, possible_, contracts_, host_};
  std::vector<std::string> happened_;
};

Outcome differs() {
  Outcome outcome;
  outcome.status = Status::kWrongResult;
  outcome.reason = "differs";
  return outcome;
}

TEST_F(TrialRecorderTest, ATrialAloneIsCommittedAtOnce) {
  TrialRecorder one = recorder();
  one.store(task(1), differs());
  EXPECT_THAT(happened_, ElementsAre("1"));
  EXPECT_EQ(rows(), 1u);
}

TEST_F(TrialRecorderTest, NothingFollowsBeforeTheCommitAndThenInOrder) {
  TrialRecorder one = recorder();
  one.begin();
  one.store(task(1), differs());
  one.then([this] { happened_.emplace_back("then"); });
  one.store(task(0), differs());
  EXPECT_THAT(happened_, IsEmpty());
  EXPECT_EQ(one.waiting(), 3u);
  one.end();
  EXPECT_THAT(happened_, ElementsAre("1", "then", "0"));
  EXPECT_EQ(rows(), 2u);
}

TEST_F(TrialRecorderTest, AConsequenceThatStoresIsCommittedToo) {
  TrialRecorder one = recorder();
  one.begin();
  one.then([&] { one.store(task(0), differs()); });
  one.end();
  EXPECT_THAT(happened_, ElementsAre("0"));
}

TEST_F(TrialRecorderTest, TheFirstResultOfATrialStands) {
  TrialRecorder one = recorder();
  one.store(task(1), differs());
  one.store(task(1), differs());
  EXPECT_THAT(happened_, ElementsAre("1", "1 known"));
  EXPECT_EQ(rows(), 1u);
}

TEST_F(TrialRecorderTest, AFreshSweepReplacesIt) {
  TrialRecorder one = recorder(/*fresh=*/true);
  one.store(task(1), differs());
  one.store(task(1), differs());
  EXPECT_THAT(happened_, ElementsAre("1", "1"));
  EXPECT_EQ(rows(), 2u);
}

}  // namespace
}  // namespace warpwright::testing
