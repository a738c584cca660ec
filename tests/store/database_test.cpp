#include "store/database.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::DatabaseTest;
using testing::message_of;
using testing::sample_device;
using testing::sample_kernel;
using testing::sample_run;
using testing::sample_trial;

class ResultsTest : public DatabaseTest {
 protected:
  ResultsTest() { put_basics(database_); }
  // A trial that differs from sample_trial() by its key.
  RowId add(const std::string& key, Status status = Status::kOk) {
    TrialRecord trial = sample_trial();
    trial.key = key;
    trial.status = status;
    return database_.add_trial(trial);
  }
  Connection raw() const { return {path_, Connection::Access::kCreate, 0, "x.db"}; }

  Database database_ = open();
};

TEST_F(ResultsTest, ATrialComesBackWhole) {
  const TrialRecord put = sample_trial();
  EXPECT_EQ(database_.add_trial(put), 1);
  const auto rows = database_.trials({.with_samples = true});
  ASSERT_EQ(rows.size(), 1U);
  const TrialRecord& got = rows[0].trial;
  EXPECT_EQ(got.id, 1);
  EXPECT_EQ(got.key, put.key);
  EXPECT_EQ(got.run, 1);
  EXPECT_EQ(got.kernel, 1);
  EXPECT_EQ(got.device, 1);
  EXPECT_EQ(got.problem, put.problem);
  EXPECT_EQ(got.problem_text, put.problem_text);
  EXPECT_EQ(got.variant, put.variant);
  EXPECT_EQ(got.parameters, put.parameters);
  EXPECT_EQ(got.configuration_text, put.configuration_text);
  EXPECT_EQ(got.status, put.status);
  EXPECT_EQ(got.median_us, put.median_us);
  EXPECT_EQ(got.ci_low_us, put.ci_low_us);
  EXPECT_EQ(got.ci_high_us, put.ci_high_us);
  EXPECT_EQ(got.floor_us, put.floor_us);
  EXPECT_EQ(got.raw_median_us, put.raw_median_us);
  EXPECT_EQ(got.at_least_us, put.at_least_us);
  EXPECT_EQ(got.same_as, std::nullopt);
  EXPECT_EQ(got.measurement, put.measurement);
  EXPECT_EQ(got.modelled, put.modelled);
  EXPECT_EQ(got.protocol, put.protocol);
  EXPECT_EQ(got.resources, put.resources);
  EXPECT_EQ(got.counters, put.counters);
  EXPECT_EQ(got.errors, put.errors);
  EXPECT_EQ(got.cubin_hash, put.cubin_hash);
  EXPECT_EQ(got.options, put.options);
  EXPECT_EQ(got.compile_seconds, put.compile_seconds);
  EXPECT_EQ(got.validate_seconds, put.validate_seconds);
  EXPECT_EQ(got.measure_seconds, put.measure_seconds);
  EXPECT_EQ(got.sm_clock_mhz, put.sm_clock_mhz);
  EXPECT_EQ(got.work_bytes, put.work_bytes);
  EXPECT_EQ(got.work_flops, put.work_flops);
  EXPECT_EQ(got.work_bytes_written, put.work_bytes_written);
  EXPECT_EQ(got.arithmetic, put.arithmetic);
  EXPECT_EQ(got.started_utc, put.started_utc);
  ASSERT_EQ(got.samples_us.size(), put.samples_us.size());
  for (std::size_t i = 0; i < got.samples_us.size(); ++i)
    EXPECT_EQ(got.samples_us[i], static_cast<float>(put.samples_us[i]));
}

TEST_F(ResultsTest, ATrialComesWithWhatItRefersTo) {
  add("key-1");
  const auto rows = database_.trials({});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].kernel_name, "softmax_topk");
  EXPECT_EQ(rows[0].contract_hash, "hash-1");
  EXPECT_EQ(rows[0].device_id, "cuda:0");
  EXPECT_EQ(rows[0].device_name, "NVIDIA H200");
  EXPECT_EQ(rows[0].device_arch, "sm_90a");
  EXPECT_EQ(rows[0].device_fingerprint, "f1e2d3c4b5a6");
  EXPECT_EQ(rows[0].device_driver, "580.159.04");
  EXPECT_TRUE(rows[0].device_has_clock);
  EXPECT_EQ(rows[0].run_started_utc, "2026-03-01T12:00:00Z");
  EXPECT_TRUE(rows[0].trial.samples_us.empty());
}

TEST_F(ResultsTest, AFailureKeepsItsReasonAndHasNoTime) {
  TrialRecord trial;
  trial.key = "key-1";
  trial.run = trial.kernel = trial.device = 1;
  set_text(trial.problem, "{}");
  set_text(trial.parameters, "{}");
  trial.status = Status::kCompileFailed;
  trial.reason = "a.cu(3): error: expected a ';'\n1 error detected";
  database_.add_trial(trial);
  const TrialRecord got = database_.find_trials({"key-1"}).at("key-1");
  EXPECT_EQ(got.status, Status::kCompileFailed);
  EXPECT_EQ(got.reason, trial.reason);
  EXPECT_EQ(got.median_us, std::nullopt);
  EXPECT_FALSE(got.resources.known());
}

TEST_F(ResultsTest, EveryStatusComesBack) {
  for (const Status status : all_statuses()) add(std::string(status_name(status)), status);
  for (const Status status : all_statuses()) {
    const std::string key(status_name(status));
    EXPECT_EQ(database_.find_trials({key}).at(key).status, status);
  }
}

TEST_F(ResultsTest, EqualDevicesAndKernelsShareARow) {
  EXPECT_EQ(database_.put_device(sample_device()), 1);
  EXPECT_EQ(database_.put_kernel(sample_kernel()), 1);
  DeviceRecord other = sample_device();
  other.fingerprint = "000000";
  EXPECT_EQ(database_.put_device(other), 2);
  EXPECT_EQ(database_.put_kernel(sample_kernel("hash-2")), 2);
  EXPECT_EQ(database_.devices().size(), 2U);
  EXPECT_EQ(database_.kernels().size(), 2U);
}

TEST_F(ResultsTest, TheContractSweptLastIsCurrentEvenWhenItIsAnOldOne) {
  TrialRecord trial = sample_trial();
  database_.add_trial(trial);
  trial.kernel = database_.put_kernel(sample_kernel("hash-2"));
  trial.key = "key-2";
  database_.add_trial(trial);
  auto rows = database_.trials({});
  EXPECT_LT(rows[0].contract_generation, rows[1].contract_generation);

  Database again = open();  // the next sweep, after the edit was undone
  EXPECT_EQ(again.put_kernel(sample_kernel("hash-1")), 1);
  rows = again.trials({});
  EXPECT_GT(rows[0].contract_generation, rows[1].contract_generation);
}

TEST_F(ResultsTest, EqualProblemsAndConfigurationsAreStoredOnce) {
  add("key-1");
  add("key-2");
  Connection connection = raw();
  EXPECT_EQ(connection.query_integer("SELECT count(*) FROM problem"), 1);
  EXPECT_EQ(connection.query_integer("SELECT count(*) FROM configuration"), 1);
}

TEST_F(ResultsTest, ResumingFindsTheNewestTrialOfAKey) {
  add("a", Status::kTimeout);
  add("b");
  add("a");
  const auto found = database_.find_trials({"a", "b", "unknown"});
  EXPECT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("a").id, 3);
  EXPECT_EQ(found.at("a").status, Status::kOk);
  EXPECT_EQ(found.at("b").id, 2);
}

TEST_F(ResultsTest, ANoisyTrialCountsOnlyWhereItsKeyHasNoOther) {
  add("a");
  add("a", Status::kNoisy);
  add("b", Status::kNoisy);
  const auto found = database_.find_trials({"a", "b"});
  EXPECT_EQ(found.at("a").id, 1);
  EXPECT_EQ(found.at("b").status, Status::kNoisy);
  const auto rows = database_.trials({});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].trial.id, 1);
  EXPECT_EQ(rows[1].trial.id, 3);
}

TEST_F(ResultsTest, ATrialRemembersWhoseMeasurementItIs) {
  TrialRecord trial = sample_trial();
  database_.add_trial(trial);
  trial.key = "key-2";
  trial.configuration_text = "threshold THREADS=1024";
  trial.same_as = database_.find_measured(trial, "threshold THREADS=512");
  database_.add_trial(trial);
  EXPECT_EQ(database_.trials({})[1].trial.same_as, 1);
}

TEST_F(ResultsTest, OnlyAMeasurementOfTheSameBoardIsFound) {
  TrialRecord trial = sample_trial();
  trial.status = Status::kTimeout;
  trial.median_us = std::nullopt;
  database_.add_trial(trial);
  EXPECT_EQ(database_.find_measured(trial, trial.configuration_text), std::nullopt);
  trial.problem_text = "rows=1";
  trial.median_us = 3;
  database_.add_trial(trial);
  EXPECT_EQ(database_.find_measured(trial, trial.configuration_text), 2);
  trial.problem_text = "rows=2";
  EXPECT_EQ(database_.find_measured(trial, trial.configuration_text), std::nullopt);
}

TEST_F(ResultsTest, AKernelKeepsTheSourcesItWasFirstPutWith) {
  EXPECT_EQ(database_.kernel_sources(1), sample_kernel().sources);
  KernelRecord edited = sample_kernel();
  edited.sources[0].text = "// edited\n";
  open().put_kernel(edited);
  EXPECT_EQ(database_.kernel_sources(1), sample_kernel().sources);
}

TEST_F(ResultsTest, AKernelWithoutSourcesGetsThemWithTheNextSweep) {
  raw().execute("DELETE FROM kernel_source");
  EXPECT_TRUE(database_.kernel_sources(1).empty());
  open().put_kernel(sample_kernel());
  EXPECT_EQ(database_.kernel_sources(1), sample_kernel().sources);
}

TEST_F(ResultsTest, OnlyTheNewestOfAKeyUnlessAllAreWanted) {
  add("a", Status::kTimeout);
  add("a");
  EXPECT_EQ(database_.trials({}).size(), 1U);
  EXPECT_EQ(database_.trials({.newest_per_key = false}).size(), 2U);
}

TEST_F(ResultsTest, NewestIsAmongWhatTheFilterLetsThrough) {
  add("a");
  TrialRecord later = sample_trial(database_.start_run(sample_run()));
  later.key = "a";
  database_.add_trial(later);
  const auto rows = database_.trials({.run = 1});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].trial.id, 1);
}

TEST_F(ResultsTest, FiltersByKernelAndContract) {
  add("a");
  EXPECT_EQ(database_.trials({.kernel = "softmax_topk"}).size(), 1U);
  EXPECT_EQ(database_.trials({.kernel = "softmax"}).size(), 0U);
  EXPECT_EQ(database_.trials({.contract_hash = "hash-1"}).size(), 1U);
  EXPECT_EQ(database_.trials({.contract_hash = "hash-2"}).size(), 0U);
}

TEST_F(ResultsTest, FiltersByDeviceInEveryWayItIsNamed) {
  add("a");
  const auto count = [&](const char* device) {
    return database_.trials({.device = device}).size();
  };
  EXPECT_EQ(count("cuda:0"), 1U);
  EXPECT_EQ(count("nvidia h200"), 1U);
  EXPECT_EQ(count("f1e2d3"), 1U);
  EXPECT_EQ(count("f1e2d"), 0U);  // too short for a fingerprint
  EXPECT_EQ(count("cuda:1"), 0U);
}

TEST_F(ResultsTest, ARunRemembersHowItEnded) {
  auto runs = database_.runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].second.seed, 18446744073709551615U);
  EXPECT_EQ(runs[0].second.ended, "");
  database_.finish_run(1, "budget", "2026-03-01T12:10:00Z");
  runs = database_.runs();
  EXPECT_EQ(runs[0].second.ended, "budget");
  EXPECT_EQ(runs[0].second.finished_utc, "2026-03-01T12:10:00Z");
  EXPECT_EQ(runs[0].second.command_line, sample_run().command_line);
}

TEST_F(ResultsTest, ABatchIsStoredAsAWhole) {
  database_.batch([&] {
    add("a");
    add("b");
  });
  EXPECT_EQ(database_.trial_count(), 2U);
}

TEST_F(ResultsTest, AKernelKeepsItsDefaultsAndWhetherItIsTheBaseline) {
  KernelRecord naive = sample_kernel("hash-2");
  naive.default_configuration = "naive THREADS=256";
  naive.baseline = true;
  KernelRecord other = sample_kernel("hash-3");
  other.default_configuration = "threshold CHUNK=4";
  other.baseline = false;
  database_.put_kernel(naive);
  database_.put_kernel(other);
  const auto kernels = database_.kernels();
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[0].second.default_configuration, std::nullopt);
  EXPECT_EQ(kernels[0].second.baseline, std::nullopt);
  EXPECT_EQ(kernels[1].second.default_configuration, "naive THREADS=256");
  EXPECT_EQ(kernels[1].second.baseline, true);
  EXPECT_EQ(kernels[2].second.baseline, false);

  TrialRecord trial = sample_trial();
  trial.kernel = 2;
  database_.add_trial(trial);
  const auto rows = database_.trials({});
  EXPECT_EQ(rows.at(0).default_configuration, "naive THREADS=256");
  EXPECT_TRUE(rows.at(0).baseline);
}

TEST_F(ResultsTest, AKernelOfAnOlderWarpwrightLearnsItsDefaultsWhenItIsPutAgain) {
  KernelRecord kernel = sample_kernel();
  kernel.default_configuration = "naive THREADS=256";
  kernel.baseline = true;
  EXPECT_EQ(open().put_kernel(kernel), 1);
  EXPECT_EQ(database_.kernels().at(0).second.default_configuration, "naive THREADS=256");
  // A record without details does not erase stored ones.
  EXPECT_EQ(open().put_kernel(sample_kernel()), 1);
  EXPECT_EQ(database_.kernels().at(0).second.default_configuration, "naive THREADS=256");
  EXPECT_EQ(database_.kernels().at(0).second.baseline, true);
}

TEST_F(ResultsTest, ADeviceKeepsTheNewestDetails) {
  DeviceRecord device = sample_device();
  set_text(device.details, R"({"l2_bytes":62914560,"sm_count":132})");
  EXPECT_EQ(database_.put_device(device), 1);
  EXPECT_EQ(database_.devices().at(0).second.details, device.details);
  set_text(device.details, "");
  EXPECT_EQ(database_.put_device(device), 1);
  EXPECT_EQ(database_.devices().at(0).second.details.text(),
            R"({"l2_bytes":62914560,"sm_count":132})");
}

TEST_F(ResultsTest, ABatchThatFailsIsUndoneAsAWhole) {
  EXPECT_THROW(database_.batch([&] {
    add("a");
    database_.put_kernel(sample_kernel("hash-2"));
    throw std::runtime_error("stop");
  }),
               std::runtime_error);
  EXPECT_EQ(database_.trial_count(), 0U);
  EXPECT_EQ(database_.put_kernel(sample_kernel("hash-2")), 2);
  EXPECT_EQ(database_.kernels().size(), 2U);
}

TEST_F(ResultsTest, AGroupIsThereWhenItIsCommitted) {
  database_.begin_group();
  add("a");
  add("b");
  EXPECT_EQ(open().trial_count(), 0U);
  database_.commit_group();
  EXPECT_EQ(open().trial_count(), 2U);
}

TEST_F(ResultsTest, AGroupThatIsDroppedIsUndone) {
  database_.begin_group();
  add("a");
  database_.drop_group();
  EXPECT_FALSE(database_.in_group());
  EXPECT_EQ(database_.trial_count(), 0U);
}

TEST_F(ResultsTest, WhatMayBeHeldIsKnownOfOwnTrialsAndOfThoseOfOthers) {
  const TrialRecord trial = sample_trial();
  const auto may_hold = [&] {
    return database_.may_hold(trial.problem_text, trial.configuration_text);
  };
  EXPECT_FALSE(may_hold());
  (void)open().add_trial(trial);
  EXPECT_TRUE(may_hold());
  TrialRecord own = sample_trial();
  own.configuration_text += " AND=1";
  EXPECT_FALSE(database_.may_hold(own.problem_text, own.configuration_text));
  (void)database_.add_trial(own);
  EXPECT_TRUE(database_.may_hold(own.problem_text, own.configuration_text));
  EXPECT_FALSE(database_.may_hold("n=7", own.configuration_text));
}

TEST_F(ResultsTest, CeilingsGiveTheNewestOfEachName) {
  CeilingRecord read{1, "read", 4400, "GB/s", 4390, 4410, "cold-events-1", "2026-03-01T12:00:00Z"};
  database_.add_ceiling(read);
  read.value = 4430;
  database_.add_ceiling(read);
  database_.add_ceiling({1, "copy", 4260, "GB/s", {}, {}, "cold-events-1", "2026-03-01T12:00:01Z"});
  const auto ceilings = database_.ceilings(1);
  ASSERT_EQ(ceilings.size(), 2U);
  EXPECT_EQ(ceilings[0].name, "copy");
  EXPECT_EQ(ceilings[0].ci_low, std::nullopt);
  EXPECT_EQ(ceilings[1].value, 4430);
  EXPECT_EQ(ceilings[1].ci_high, 4410);
  EXPECT_TRUE(database_.ceilings(2).empty());
  EXPECT_EQ(database_.ceilings(1, /*newest_per_name=*/false).size(), 3U);
  database_.remove_ceilings(1);
  EXPECT_TRUE(database_.ceilings(1, /*newest_per_name=*/false).empty());
}

TEST_F(ResultsTest, TheKernelThatWasPutLastComesLast) {
  database_.put_kernel(sample_kernel("hash-2"));
  Database again = open();
  again.put_kernel(sample_kernel("hash-1"));
  const auto kernels = again.kernels();
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[1].second.contract_hash, "hash-1");
}

TEST_F(ResultsTest, ATrialOfAnUnknownRunIsOurFault) {
  EXPECT_EQ(message_of([&] { database_.add_trial(sample_trial(9)); }, path_),
            "{}: SQLite error 787: FOREIGN KEY constraint failed; please report this");
  EXPECT_EQ(database_.trial_count(), 0U);
}

TEST_F(ResultsTest, AColumnThatIsNoJsonIsOurFault) {
  TrialRecord trial = sample_trial();
  set_text(trial.counters, "{");
  EXPECT_EQ(message_of([&] { database_.add_trial(trial); }, path_),
            "{}: SQLite error 275: CHECK constraint failed: counters IS NULL OR "
            "json_valid(counters); please report this");
}

TEST_F(ResultsTest, AStatusOfAnotherVersionIsNamed) {
  add("a");
  raw().execute(std::string(testing::kForgetChecksums) + "UPDATE trial SET status = 'melted'");
  EXPECT_EQ(
      message_of([&] { static_cast<void>(database_.trials({})); }, path_),
      "{}: trial 1 has the unknown status 'melted', written by another warpwright; update this "
      "one");
}

TEST_F(ResultsTest, SamplesOfAnotherVersionNameTheirTrial) {
  add("a");
  raw().execute(std::string(testing::kForgetChecksums) + "UPDATE sample SET encoding = 'zstd'");
  EXPECT_EQ(message_of([&] { static_cast<void>(database_.trials({.with_samples = true})); }, path_),
            "samples have encoding 'zstd', this warpwright reads 'f32le'; update it\n"
            "  in trial 1 of {}");
}

TEST_F(ResultsTest, IntegrityFindsARowThatRefersToNothing) {
  add("a");
  EXPECT_EQ(database_.integrity(), "ok");
  raw().execute("PRAGMA foreign_keys = OFF; DELETE FROM device");
  EXPECT_EQ(database_.integrity(), "row 1 of table trial refers to a missing row of table device");
}

TEST_F(ResultsTest, IntegrityFindsABrokenRuleAlsoWhereItMayOnlyRead) {
  add("a");
  raw().execute(std::string(testing::kForgetChecksums) +
                "PRAGMA ignore_check_constraints = ON; UPDATE trial SET counters = 'none'");
  EXPECT_EQ(open(OpenMode::kReadOnly).integrity(), "CHECK constraint failed in trial");
}

TEST_F(ResultsTest, ReadingDoesNotDisturbAWriter) {
  add("a");
  Database reader = open(OpenMode::kReadOnly);
  add("b");
  EXPECT_EQ(reader.trial_count(), 2U);
}

}  // namespace
}  // namespace warpwright
