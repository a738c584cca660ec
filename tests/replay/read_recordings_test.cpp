#include "replay/read_recordings.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "exchange/gzip.h"
#include "exchange/sample_database.h"
#include "replay/sample_recordings.h"
#include "stats/random_search.h"
#include "support/error_text.h"
#include "support/write_text.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::edited;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::error_text;
using testing::kSmallRecording;
using testing::SampleDatabase;
using testing::write_text;

constexpr const char* kSmallT4 = R"({"schema_version": "1.0.0", "metadata": {"timeunit": "ms"},
  "results": [
    {"configuration": {"B": "16", "A": 2}, "times": {"runtimes": [3, 1, 2]}, "invalidity": "correct"},
    {"configuration": {"B": "4", "A": 1}, "times": {}, "invalidity": "compile"},
    {"configuration": {"B": "8", "A": 1}, "times": {"runtimes": [5]}, "invalidity": "correct"},
    {"configuration": {"B": "16", "A": 1}, "times": {}, "invalidity": "constraints"}]})";

class ReadRecordings : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }
  fs::path write(const std::string& name, const std::string& text) const {
    write_text(path(name), text);
    return path(name);
  }
  static std::string fault_of(const std::vector<fs::path>& files,
                              const RecordingChoice& choice = {}) {
    return error_text([&] { (void)read_recordings(files, choice); });
  }
  // Sweeps THREADS 64 to 512 to the end, of which 256 failed and 512 was pruned.
  fs::path sweep(const std::string& ended, const std::string& strategy = "exhaustive") const {
    SampleDatabase sample(path("x.db"));
    RunRecord run = testing::sample_run();
    run.strategy = strategy;
    run.started_utc = "2026-03-01T13:00:00Z";
    Database& database = sample.database();
    const RowId id = database.start_run(run);
    const auto add = [&](int threads, Status status, std::optional<double> us) {
      TrialRecord trial = testing::sample_trial(id, 1, 1);
      trial.key = fmt::format("key {}", threads);
      testing::set_text(trial.parameters, fmt::format(R"({{"THREADS":{}}})", threads));
      trial.configuration_text = fmt::format("threshold THREADS={}", threads);
      trial.status = status;
      trial.median_us = status == Status::kOk ? us : std::nullopt;
      trial.ci_low_us = trial.ci_high_us = trial.median_us;
      trial.at_least_us = status == Status::kPruned ? us : std::nullopt;
      trial.samples_us.clear();
      database.add_trial(trial);
    };
    add(128, Status::kOk, 30);
    add(64, Status::kOk, 40);
    add(512, Status::kPruned, 90);
    add(256, Status::kWrongResult, std::nullopt);
    database.finish_run(id, ended, "2026-03-01T14:00:00Z");
    return path("x.db");
  }

  TemporaryFolder folder_;
};

TEST_F(ReadRecordings, AReplayFilePlainAndPacked) {
  for (const std::string& text : {std::string(kSmallRecording), pack_gzip(kSmallRecording)}) {
    const FoundRecordings found = read_recordings({write("odd.name", text)});
    ASSERT_EQ(found.recordings.size(), 1U);
    EXPECT_EQ(found.recordings[0].head.name, "blur-X100");
    EXPECT_EQ(found.recordings[0].head.file, path("odd.name").string());
  }
}

TEST_F(ReadRecordings, AT4FileWithoutWhatConstraintsRejected) {
  const FoundRecordings found = read_recordings({write("blur-X100.json", kSmallT4)});
  ASSERT_EQ(found.recordings.size(), 1U);
  const Recording& recording = found.recordings[0];
  EXPECT_EQ(recording.head.name, "blur-X100");
  EXPECT_EQ(recording.head.kernel, "blur");
  EXPECT_EQ(recording.head.device, "X100");
  EXPECT_EQ(recording.count(), 3U);
  EXPECT_EQ(recording.best_us, 2000);
  EXPECT_EQ(recording.with_status(Status::kCompileFailed), 1U);
  const std::vector<SearchSpace::Axis> axes = recording.space->axes("");
  EXPECT_EQ(axes[0].name, "A");
  EXPECT_EQ(axes[1].values, (std::vector<Value>{4, 8, 16}));
  EXPECT_THAT(recording.head.notes,
              ElementsAre("1 result that constraints rejected is not part of the space"));
}

TEST_F(ReadRecordings, AT4FileNeedsNoNameOfTwoParts) {
  EXPECT_EQ(read_recordings({write("results.json", kSmallT4)}).recordings[0].head.name, "results");
}

TEST_F(ReadRecordings, ARowOfAT4FileIsNamedByItsResult) {
  EXPECT_EQ(
      fault_of({write("x-y.json", edited(kSmallT4, "\"B\": \"8\"", "\"B\": \"16\", \"C\": 1"))}),
      path("x-y.json").string() +
          ": results[2] has A, B, C, and results[0] has A, B; all configurations of a "
          "recording have the same parameters");
  EXPECT_EQ(fault_of({write("x-y.json", edited(kSmallT4, "\"B\": \"8\"", "\"B\": \"4\""))}),
            path("x-y.json").string() +
                ": results[2] is the same configuration as results[1], A=1 B=4; list each once");
}

TEST_F(ReadRecordings, ABoardThatWasSweptToTheEnd) {
  const FoundRecordings found = read_recordings({sweep("complete")});
  ASSERT_EQ(found.recordings.size(), 1U);
  const Recording& recording = found.recordings[0];
  EXPECT_EQ(recording.head.name, "softmax_topk, rows=8192 V=50257 K=10 dtype=f32, NVIDIA H200");
  EXPECT_EQ(recording.head.kind, "measured");
  EXPECT_EQ(recording.us, (std::vector<double>{40, 30, 0, 0}));
  EXPECT_EQ(recording.status,
            (std::vector<Status>{Status::kOk, Status::kOk, Status::kWrongResult, Status::kPruned}));
  EXPECT_EQ(recording.at_least_us, (std::vector<double>{0, 0, 0, 90}));
}

TEST_F(ReadRecordings, ABoardThatWasNotSweptToTheEndIsLeftOut) {
  for (const auto& [ended, strategy] :
       {std::pair("budget", "exhaustive"), {"interrupted", "exhaustive"}, {"complete", "random"}}) {
    fs::remove(path("x.db"));
    EXPECT_EQ(fault_of({sweep(ended, strategy)}),
              "no complete recording: " + path("x.db").string() +
                  ": left out softmax_topk, rows=8192 V=50257 K=10 dtype=f32, NVIDIA H200: no "
                  "exhaustive sweep of it has come to its end");
  }
}

TEST_F(ReadRecordings, ARunThatOnlyResumedCoversTheBoardToo) {
  sweep("interrupted");
  {
    Database database(path("x.db"));
    const RunRecord run = database.runs().back().second;
    RunRecord again = run;
    again.started_utc = "2026-03-01T15:00:00Z";
    database.finish_run(database.start_run(again), "complete", "2026-03-01T15:00:01Z");
  }
  EXPECT_EQ(read_recordings({path("x.db")}).recordings.size(), 1U);
}

TEST_F(ReadRecordings, RecordingsAreChosenByKernelProblemAndDevice) {
  write("a-X.json", edited(edited(kSmallRecording, "blur-X100", "a"), "\"blur\"", "\"a\""));
  write("b-X.json", edited(kSmallRecording, "\"gpu\": \"X100\"", "\"problem\": \"n=4 m=5\""));
  sweep("complete");
  const auto names = [&](const RecordingChoice& choice) {
    std::vector<std::string> all;
    for (const Recording& recording : read_recordings({folder_.path()}, choice).recordings)
      all.push_back(recording.head.name);
    return all;
  };
  const std::string board = "softmax_topk, rows=8192 V=50257 K=10 dtype=f32, NVIDIA H200";
  EXPECT_THAT(names({}), ElementsAre("a", "blur-X100", board));
  EXPECT_THAT(names({.kernel = "a"}), ElementsAre("a"));
  EXPECT_THAT(names({.kernel = "softmax_topk"}), ElementsAre(board));
  EXPECT_THAT(names({.problem = "m=5"}), ElementsAre("blur-X100"));
  EXPECT_THAT(names({.problem = "K=10,rows=8192"}), ElementsAre(board));
  EXPECT_THAT(names({.device = "x100"}), ElementsAre("a"));
  EXPECT_THAT(names({.device = "nvidia h200"}), ElementsAre(board));
  EXPECT_EQ(fault_of({folder_.path()}, {.kernel = "blurr"}),
            "no recording of kernel 'blurr'; did you mean 'blur'?");
  EXPECT_EQ(fault_of({folder_.path()}, {.kernel = "a", .problem = "m=5"}),
            "no recording matches; choose others with --kernel, --problem and --device, or leave "
            "them out");
}

TEST_F(ReadRecordings, AFolderNamesWhatHoldsNoRecording) {
  write("good.json", kSmallRecording);
  write("README.md", "# Recordings\n");
  write("peers.json", "{\"pairs\": {}}");
  write("empty", "");
  fs::create_directory(path("inner"));
  const FoundRecordings found = read_recordings({folder_.path()});
  EXPECT_EQ(found.recordings.size(), 1U);
  EXPECT_THAT(found.notes, ElementsAre(folder_.path().string() +
                                       ": left out what holds no recording: README.md, empty, "
                                       "peers.json"));
}

TEST_F(ReadRecordings, WhatHoldsNoRecordingIsRefusedByName) {
  constexpr const char* kKinds =
      "expected a warpwright database, a T4 file or a replay file (JSON), plain or in gzip";
  for (const std::string text : {"", "# Recordings\n", "{\"pairs\": {}}"}) {
    EXPECT_EQ(fault_of({write("x", text)}),
              path("x").string() + ": it holds no recording; " + kKinds);
  }
  EXPECT_EQ(fault_of({folder_.path()}),
            folder_.path().string() + ": no file in it holds a recording; " + kKinds);
  EXPECT_EQ(fault_of({path("absent")}), "no such file: " + path("absent").string());
}

TEST_F(ReadRecordings, TheSameNameInTwoFilesIsToldApart) {
  const FoundRecordings found =
      read_recordings({write("a.json", kSmallRecording), write("b.json", kSmallRecording)});
  EXPECT_EQ(found.recordings[0].head.name, "blur-X100 (" + path("a.json").string() + ")");
  EXPECT_EQ(found.recordings[1].head.name, "blur-X100 (" + path("b.json").string() + ")");
}

TEST_F(ReadRecordings, BoardsOfTwoDevicesOfOneNameAreToldApart) {
  {
    SampleDatabase sample(path("x.db"));
    Database& database = sample.database();
    RunRecord run = testing::sample_run();
    run.strategy = "exhaustive";
    run.started_utc = "2026-03-01T13:00:00Z";
    const RowId id = database.start_run(run);
    for (const std::string fingerprint : {"0123456789abcdef", "fedcba9876543210"}) {
      DeviceRecord device = testing::sample_device();
      device.fingerprint = fingerprint;
      TrialRecord trial = testing::sample_trial(id, 1, 1);
      trial.key = "key on " + fingerprint;
      trial.device = database.put_device(device);
      database.add_trial(trial);
    }
    database.finish_run(id, "complete", "2026-03-01T14:00:00Z");
  }
  const FoundRecordings found = read_recordings({path("x.db")});
  ASSERT_EQ(found.recordings.size(), 2u);
  EXPECT_THAT(found.recordings[0].head.name, EndsWith(", 01234567"));
  EXPECT_THAT(found.recordings[1].head.name, EndsWith(", fedcba98"));
}

TEST_F(ReadRecordings, TheSameFileTwiceIsRefused) {
  const fs::path file = write("a.json", kSmallRecording);
  EXPECT_EQ(fault_of({file, file}), file.string() + ": the recording blur-X100 (" + file.string() +
                                        ") is given twice; name it once");
}

// Published recordings, found through WARPWRIGHT_PUBLIC_DATA: checks their known content, and the
// known scores of random search on them.
TEST(PublicRecordings, LoadWholeAndGiveThePublishedScoresOfRandomSearch) {
  const char* data = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  const fs::path folder = data == nullptr ? "" : fs::path(data) / "replay";
  if (data == nullptr || !fs::exists(folder))
    GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA is not set: the published recordings are not here";
  const FoundRecordings found = read_recordings({folder});
  std::map<std::string, std::size_t> counts;
  std::map<std::size_t, double> means;
  for (const Recording& recording : found.recordings) {
    EXPECT_TRUE(recording.head.notes.empty()) << recording.head.notes[0];
    counts[recording.head.name] = recording.count();
    const RandomSearch random(recording.times(), recording.count());
    for (const std::size_t budget : {50, 100, 200, 400})
      means[budget] += random.expected_score(budget) / 8;
  }
  EXPECT_EQ(counts, (std::map<std::string, std::size_t>{{"convolution_milo-A100", 4362},
                                                        {"convolution_milo-A4000", 4362},
                                                        {"convolution_milo-MI250X", 4362},
                                                        {"dedispersion_milo-A100", 11130},
                                                        {"dedispersion_milo-A4000", 11130},
                                                        {"dedispersion_milo-MI250X", 11130},
                                                        {"gemm-RTX_3090", 17956},
                                                        {"pnpoly-RTX_3090", 4092}}));
  EXPECT_NEAR(means[50], 0.808, 0.0005);
  EXPECT_NEAR(means[100], 0.855, 0.0005);
  EXPECT_NEAR(means[200], 0.898, 0.0005);
  EXPECT_NEAR(means[400], 0.937, 0.0005);
}

}  // namespace
}  // namespace warpwright
