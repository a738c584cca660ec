#include <gtest/gtest.h>

#include "workers/watchdog.h"

namespace warpwright {
namespace {

TrialRecord trial(Status status, TrialCounters counters = {}) {
  TrialRecord record;
  record.configuration_text = "plain THREADS=64";
  record.status = status;
  record.counters = std::move(counters);
  return record;
}

TEST(Quarantine, ATimeoutCountsOnceEvenWhereTheWorkerSurvivedIt) {
  EXPECT_EQ(losses_of(trial(Status::kTimeout)), 1);
  EXPECT_EQ(losses_of(trial(Status::kTimeout, {{"workers_lost", 2}})), 2);
}

TEST(Quarantine, AWrongResultCostsNoWorker) {
  EXPECT_EQ(losses_of(trial(Status::kWrongResult, {{"barriers", 7}})), 0);
  TrialRecord without = trial(Status::kLaunchFailed);
  without.counters = {};
  EXPECT_EQ(losses_of(without), 0) << "the database has no counters";
}

TEST(Quarantine, ASuccessDoesNotCarryTheWorkersItLost) {
  Outcome outcome;
  note_workers_lost(outcome, 2);
  EXPECT_TRUE(outcome.counters.empty());
}

TEST(Quarantine, TheThirdLossIsTheOneThatCounts) {
  Quarantine quarantine;
  EXPECT_FALSE(quarantine.note(trial(Status::kTimeout), "n=1"));
  EXPECT_FALSE(quarantine.note(trial(Status::kTimeout), "n=2"));
  EXPECT_EQ(quarantine.reason("plain THREADS=64"), std::nullopt);
  EXPECT_TRUE(quarantine.note(trial(Status::kLaunchFailed, {{"workers_lost", 1}}), "n=3"));
  EXPECT_FALSE(quarantine.note(trial(Status::kTimeout), "n=4")) << "it is already quarantined";
  EXPECT_EQ(quarantine.reason("plain THREADS=32"), std::nullopt);
  EXPECT_EQ(*quarantine.reason("plain THREADS=64"),
            "not run: this configuration hung or lost its worker 4 times in this sweep (timeout on "
            "n=1; timeout on n=2; launch_failed on n=3; timeout on n=4); --fresh tries it again");
}

}  // namespace
}  // namespace warpwright
