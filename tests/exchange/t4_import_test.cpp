#include "exchange/t4/t4_import.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "exchange/sample_t4.h"
#include "store/imported.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

std::vector<TrialRecord> sample_trials() {
  return import_t4(sample_t4(), sample_import()).snapshot.trials;
}

// The sample with something changed.
std::string message(const std::function<void(T4File&, T4ImportOptions&)>& change) {
  T4File file = sample_t4();
  T4ImportOptions options = sample_import();
  change(file, options);
  return error_text([&] { static_cast<void>(import_t4(file, options)); });
}

TEST(T4Import, EveryConfigurationBecomesATrialInItsOrder) {
  const std::vector<TrialRecord> trials = sample_trials();
  ASSERT_EQ(trials.size(), 9u);
  EXPECT_EQ(trials[0].configuration_text, "block=32 mode=shared radius=7 tile=4");
  EXPECT_EQ(trials[0].parameters.text(), R"({"block":32,"mode":"shared","radius":7,"tile":4})");
  EXPECT_EQ(trials[1].configuration_text, "block=64 mode=shared radius=7 tile=4")
      << "whatever the order in the file";
  std::set<std::string> keys;
  for (const TrialRecord& trial : trials) keys.insert(trial.key);
  EXPECT_EQ(keys.size(), 9u);
}

TEST(T4Import, TheMedianIsOfTheRawRuntimesAndThePublishedMeanIsKept) {
  const TrialRecord trial = sample_trials()[0];
  EXPECT_EQ(trial.median_us, 250);  // of 240 250 250 250 250 260 750
  EXPECT_EQ(trial.ci_low_us, 240);
  EXPECT_EQ(trial.ci_high_us, 750);
  EXPECT_EQ(trial.samples_us, (std::vector<double>{250, 260, 240, 250, 250, 250, 750}));
  const nlohmann::json imported = import_details(trial);
  EXPECT_EQ(imported["published_us"], 321);
  EXPECT_EQ(imported["measurements"][1]["value"], 1234.5);
  EXPECT_EQ(imported["rest"]["host"], "node-7");
  EXPECT_EQ(imported["times_us"]["framework"], 1500);
  EXPECT_EQ(imported["sha256"], "abc123");
  EXPECT_DOUBLE_EQ(trial.compile_seconds, 0.8505);
  EXPECT_DOUBLE_EQ(trial.validate_seconds, 0.02);
  EXPECT_EQ(trial.started_utc, "2024-05-01T10:00:00Z");
}

TEST(T4Import, TooFewRuntimesGiveAMedianWithoutAnInterval) {
  const TrialRecord trial = sample_trials()[1];
  EXPECT_EQ(trial.median_us, 200);
  EXPECT_EQ(trial.ci_low_us, std::nullopt);
  EXPECT_EQ(trial.started_utc, "2024-05-01T10:00:01Z") << "the zone is two hours ahead";
}

TEST(T4Import, WithoutRuntimesThePublishedTimeStandsInItsOwnUnit) {
  const TrialRecord trial = sample_trials()[2];
  EXPECT_EQ(trial.median_us, 300);
  EXPECT_TRUE(trial.samples_us.empty());
}

TEST(T4Import, RuntimesThatAreNoTimesAreLeftOut) { EXPECT_EQ(sample_trials()[3].median_us, 500); }

TEST(T4Import, RuntimesThatNoSampleHoldsAreLeftOut) {
  T4File file = sample_t4();
  file.results.resize(1);
  file.results[0].runtimes = {0.25, 1e308};
  const T4Import imported = import_t4(file, sample_import());
  EXPECT_EQ(imported.snapshot.trials[0].median_us, 250);
  EXPECT_EQ(imported.snapshot.trials[0].samples_us, std::vector<double>{250});
  EXPECT_EQ(imported.notes.back(), "1 runtime is not a time (finite and above 0) and left out");
}

TEST(T4Import, FailuresKeepTheirKindAndReason) {
  const std::vector<TrialRecord> trials = sample_trials();
  const auto expect = [&](std::size_t at, Status status, const std::string& reason) {
    EXPECT_EQ(trials[at].status, status) << at;
    EXPECT_EQ(trials[at].reason, reason) << at;
    EXPECT_EQ(trials[at].median_us, std::nullopt) << at;
  };
  expect(4, Status::kLaunchFailed, "RuntimeFailedConfig");
  expect(5, Status::kCompileFailed, "CompilationFailedConfig");
  expect(6, Status::kInvalid, "reported as constraints, without a reason");
  expect(7, Status::kWrongResult, "reported as correctness, without a reason");
  expect(8, Status::kTimeout, "reported as timeout, without a reason");
}

TEST(T4Import, NothingCanBeTakenForAMeasurementOfOurs) {
  const Snapshot snapshot = import_t4(sample_t4(), sample_import()).snapshot;
  for (const TrialRecord& trial : snapshot.trials) {
    EXPECT_TRUE(is_imported(trial));
    EXPECT_EQ(trial.protocol, "imported-t4-1");
    EXPECT_EQ(import_file(trial), "blur-X100.json");
  }
  const DeviceRecord& device = snapshot.devices[0].second;
  EXPECT_EQ(device.name, "X100");
  EXPECT_EQ(device.id, "imported");
  EXPECT_TRUE(device.has_clock);
  EXPECT_EQ(device.details.text(), R"({"imported":{"file":"blur-X100.json","sha256":"abc123"}})");
  const RunRecord& run = snapshot.runs[0].second;
  EXPECT_EQ(run.strategy, "import");
  EXPECT_EQ(run.config_path, "blur-X100.json");
  EXPECT_EQ(run.host, "");
}

TEST(T4Import, DeviceAndKernelDependOnTheirNamesAlone) {
  T4ImportOptions other = sample_import();
  other.file_name = "blur-X100-again.json";
  other.device = "X100";
  other.sha256 = "def456";
  const Snapshot a = import_t4(sample_t4(), sample_import()).snapshot;
  const Snapshot b = import_t4(sample_t4(), other).snapshot;
  EXPECT_EQ(a.devices[0].second.fingerprint, b.devices[0].second.fingerprint);
  EXPECT_EQ(a.kernels[0].second, b.kernels[0].second);
  EXPECT_EQ(a.trials[0].key, b.trials[0].key);
  other.device = "X200";
  EXPECT_NE(a.trials[0].key, import_t4(sample_t4(), other).snapshot.trials[0].key);
}

TEST(T4Import, OptionsGoBeforeTheNameOfTheFile) {
  T4ImportOptions options = sample_import();
  options.file_name = "results.json";
  options.kernel = "blur";
  options.device = "Y 9";
  const Snapshot snapshot = import_t4(sample_t4(), options).snapshot;
  EXPECT_EQ(snapshot.kernels[0].second.name, "blur");
  EXPECT_EQ(snapshot.devices[0].second.name, "Y 9");
}

TEST(T4Import, AFileThatDoesNotSayWhatItIsOfIsRefusedWithTheFix) {
  EXPECT_EQ(
      message([](T4File&, T4ImportOptions& options) { options.file_name = "results.json"; }),
      "results.json: the file does not say which kernel its results are of; add --kernel NAME, "
      "or name the file KERNEL-DEVICE.json");
  EXPECT_EQ(message([](T4File&, T4ImportOptions& options) {
              options.file_name = "results.json.gz";
              options.kernel = "blur";
            }),
            "results.json.gz: the file does not say which device its results are of; add --device "
            "NAME, or name the file KERNEL-DEVICE.json");
}

TEST(T4Import, TheProblemIsWhatIsSaidOrPublished) {
  EXPECT_EQ(sample_trials()[0].problem_text, "published");
  EXPECT_EQ(sample_trials()[0].problem.text(), "{}");
  T4ImportOptions options = sample_import();
  options.problem = "  image=4096  scale=0.5 type=half fast=true ";
  const TrialRecord trial = import_t4(sample_t4(), options).snapshot.trials[0];
  EXPECT_EQ(trial.problem_text, "image=4096 scale=0.5 type=half fast=true");
  EXPECT_EQ(trial.problem.text(), R"({"fast":true,"image":4096,"scale":0.5,"type":"half"})");
}

TEST(T4Import, ASizeOfOurMetadataIsOneValue) {
  EXPECT_EQ(message([](T4File& file, T4ImportOptions&) {
              file.metadata["warpwright"] = {{"problem", {{"rows", {1, 2}}}}};
            }),
            "blur-X100.json: metadata.warpwright.problem.rows: expected one value, got [1,2]");
}

TEST(T4Import, AProblemMustBeNamesAndValues) {
  for (const std::string word : {"image", "=5", "image="}) {
    EXPECT_EQ(message([&](T4File&, T4ImportOptions& options) { options.problem = "a=1 " + word; }),
              "--problem \"a=1 " + word + "\": expected NAME=VALUE ..., got '" + word +
                  "'; for example --problem \"image=4096 filter=15\"");
  }
}

TEST(T4Import, ParametersWhoseEveryValueReadsAsAnIntegerAreIntegers) {
  T4File file = sample_t4();
  file.results[0].configuration["block"] = "32";
  file.results[1].configuration["mode"] = "7";  // others are "shared"
  const auto trials = import_t4(file, sample_import()).snapshot.trials;
  EXPECT_EQ(trials[0].parameters.text(), sample_trials()[0].parameters.text());
  EXPECT_EQ(trials[1].parameters.text(), R"({"block":64,"mode":"7","radius":7,"tile":4})");
}

TEST(T4Import, TextsThatReadAsSeveralWordsAreQuoted) {
  T4File file = sample_t4();
  file.results[0].configuration = {{"a", "x b=2"}, {"c", ""}};
  EXPECT_EQ(import_t4(file, sample_import()).snapshot.trials[0].configuration_text,
            R"(a="x b=2" c="")");
}

TEST(T4Import, StatusFollowsFromWhatIsThere) {
  const auto status_with = [](const std::string& invalidity, std::optional<double> correctness,
                              const std::string& label) {
    T4File file = sample_t4();
    T4Result& result = file.results[0];
    result.invalidity = invalidity;
    result.correctness = correctness;
    if (!label.empty()) result.measurements[0] = {"time", "", std::nullopt, label};
    return import_t4(file, sample_import()).snapshot.trials[0].status;
  };
  EXPECT_EQ(status_with("", std::nullopt, ""), Status::kOk);
  EXPECT_EQ(status_with("", 0, ""), Status::kWrongResult);
  EXPECT_EQ(status_with("correct", 0, ""), Status::kWrongResult);
  EXPECT_EQ(status_with("correct", 1, "CompilationFailedConfig"), Status::kCompileFailed);
  EXPECT_EQ(status_with("", std::nullopt, "InvalidConfig"), Status::kInvalid);
  EXPECT_EQ(status_with("timeout", 1, "RuntimeFailedConfig"), Status::kTimeout);
}

TEST(T4Import, AnUnknownInvalidityIsRefused) {
  EXPECT_EQ(message([](T4File& file, T4ImportOptions&) { file.results[2].invalidity = "corect"; }),
            "blur-X100.json: results[2].invalidity: unknown 'corect'; did you mean 'correct'?");
}

TEST(T4Import, SaysWhatWasAssumedAndLeftOut) {
  EXPECT_EQ(
      import_t4(sample_t4(), sample_import()).notes,
      (std::vector<std::string>{"1 result has no raw runtimes: its published time stands alone",
                                "4 runtimes are not times (finite and above 0) and left out"}));
  T4File file = sample_t4();
  file.metadata = nlohmann::json::object();
  file.schema_version = "2.1.0";
  file.results.resize(1);
  file.results[0].runtimes.clear();
  file.results[0].measurements.clear();
  EXPECT_EQ(import_t4(file, sample_import()).notes,
            (std::vector<std::string>{"no unit of time is given: taken for milliseconds, as usual",
                                      "schema version 2.1.0: read as 1.0.0",
                                      "1 correct result has no time"}));
}

TEST(T4Import, AnEmptyListGivesADeviceAndNoTrials) {
  T4File file = sample_t4();
  file.results.clear();
  EXPECT_TRUE(import_t4(file, sample_import()).snapshot.trials.empty());
}

}  // namespace
}  // namespace warpwright::testing
