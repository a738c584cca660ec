#include "replay/replay_file.h"

#include <gtest/gtest.h>

#include "replay/sample_recordings.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::edited;
using testing::error_text;
using testing::kSmallRecording;
using testing::recording_of;

std::string fault_after(const std::string& from, const std::string& to) {
  return error_text([&] { (void)recording_of(edited(kSmallRecording, from, to)); });
}

TEST(KindOfJson, IsToldFromTheOutermostMembers) {
  EXPECT_EQ(kind_of_json(kSmallRecording), JsonKind::kReplay);
  EXPECT_EQ(kind_of_json(R"({"metadata": {"configs": 1}, "results": []})"), JsonKind::kT4);
  EXPECT_EQ(kind_of_json(R"({"note": "", "pairs": {"x": {"time_ms": 1}}})"), JsonKind::kOther);
  EXPECT_EQ(kind_of_json("[1, 2"), JsonKind::kOther);
  EXPECT_EQ(kind_of_json("{\"configs\": broken"), JsonKind::kReplay) << "its reader says why";
}

TEST(ReplayFile, GivesNamesTimesAndStatus) {
  const Recording recording = recording_of(kSmallRecording);
  EXPECT_EQ(recording.head.name, "blur-X100");
  EXPECT_EQ(recording.head.kernel, "blur");
  EXPECT_EQ(recording.head.device, "X100");
  EXPECT_EQ(recording.head.kind, "imported");
  EXPECT_TRUE(recording.head.notes.empty());
  EXPECT_EQ(recording.us, (std::vector<double>{4000, 2500, 0, 2000, 0}));
  EXPECT_EQ(recording.status, (std::vector<Status>{Status::kOk, Status::kOk, Status::kCompileFailed,
                                                   Status::kOk, Status::kLaunchFailed}));
  EXPECT_EQ(recording.best_us, 2000);
  EXPECT_EQ(recording.succeeded, 3U);
}

TEST(ReplayFile, ParametersKeepTheirOrder) {
  const Recording recording = recording_of(kSmallRecording);
  const std::vector<SearchSpace::Axis> axes = recording.space->axes("");
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].name, "B");
  EXPECT_EQ(recording.values_at(1), (std::vector<Value>{4, 2}));
}

TEST(ReplayFile, TheFileNamesWhatHasNoName) {
  const std::string text = edited(kSmallRecording, "\"name\": \"blur-X100\",", "");
  EXPECT_EQ(recording_of(text, "some/folder/blur-Y200.json.gz").head.name, "blur-Y200");
}

TEST(ReplayFile, WithoutStatusWhatHasNoTimeFailed) {
  const Recording recording =
      recording_of(edited(kSmallRecording, "\"status\": [0, 0, 1, 0, 2],", ""));
  EXPECT_EQ(recording.status[2], Status::kLaunchFailed);
}

TEST(ReplayFile, ValuesOfEveryType) {
  const Recording recording = recording_of(
      R"({"parameters": {"T": ["f32", "f16"], "S": [true, false], "R": [0.5]},
          "configs": [["f32", true, 0.5], ["f16", false, 0.5]], "time_ms": [1, 2]})");
  EXPECT_EQ(recording.values_at(1), (std::vector<Value>{"f16", false, 0.5}));
}

TEST(ReplayFile, WhatIsNoJsonSaysWhere) {
  EXPECT_EQ(fault_after("[4, 2.5, null", "[4, 2.5, NaN"),
            "x.json:6:23: not JSON: syntax error while parsing value - invalid literal; last read: "
            "'2.5, N'");
  EXPECT_EQ(error_text([] { (void)read_replay_file("[1]", "x.json"); }),
            "x.json: expected an object, got [1]");
}

TEST(ReplayFile, WhatIsMissingIsNamed) {
  EXPECT_EQ(fault_after("\"time_ms\"", "\"times\""),
            "x.json: time_ms: it is missing; a replay recording has parameters, configs and "
            "time_ms");
  EXPECT_EQ(fault_after("\"parameters\"", "\"tunables\""),
            "x.json: parameters: it is missing; a replay recording has parameters, configs and "
            "time_ms");
}

TEST(ReplayFile, WrongTypesNameTheirPlace) {
  EXPECT_EQ(fault_after("{\"B\": [4, 8, 16], \"A\": [1, 2]}", "[1, 2]"),
            "x.json: parameters: expected an object of lists of values, got [1,2]");
  EXPECT_EQ(fault_after("[1, 2]}", "7}"), "x.json: parameters.A: expected a list of values, got 7");
  EXPECT_EQ(fault_after("[1, 2]}", "[1, null]}"),
            "x.json: parameters.A: expected numbers, strings or booleans of 64 bits, got null");
  EXPECT_EQ(fault_after("[4, 2],", "[4, null],"),
            "x.json: configs[1]: expected numbers, strings or booleans of 64 bits, got null");
  EXPECT_EQ(fault_after("[4, 2],", "7,"),
            "x.json: configs[1]: expected a list of values, one for each parameter, got 7");
  EXPECT_EQ(fault_after("[4, 2],", "[4, [2]],"),
            "x.json: configs[1]: expected values, got lists of them");
  EXPECT_EQ(fault_after("[\"A * B <= 16\"]", "\"A * B <= 16\""),
            "x.json: constraints: expected a list, got \"A * B <= 16\"");
  EXPECT_EQ(fault_after("[\"A * B <= 16\"]", "[16]"),
            "x.json: constraints[0]: expected an expression as a string, got 16");
  EXPECT_EQ(fault_after("\"blur\"", "5"), "x.json: kernel: expected a string, got 5");
  EXPECT_EQ(fault_after("[0, 0, 1, 0, 2]", "{}"), "x.json: status: expected a list, got {}");
}

TEST(ReplayFile, AValueThatNoParameterListsNamesItsRow) {
  EXPECT_EQ(fault_after("[8, 2],", "[12, 2],"),
            "x.json: configs[3]: 12 is not a value of B, which lists 4, 8, 16; list it there or "
            "correct the row");
  EXPECT_EQ(fault_after("[8, 2],", "[8.0, 2],"),
            "x.json: configs[3]: 8.0 is not a value of B, which lists 4, 8, 16; list it there or "
            "correct the row");
}

TEST(ReplayFile, AParameterOrAValueThatIsListedTwice) {
  EXPECT_EQ(fault_after("[4, 8, 16]", "[4, 8, 4, 16]"),
            "x.json: parameters.B: 4 is listed twice; remove one");
  EXPECT_EQ(fault_after("\"A\": [1, 2]", "\"A\": [1, 2], \"B\": [1]"),
            "x.json: parameters: a name is listed twice; rename one");
}

TEST(ReplayFile, ListsOfDifferentLengths) {
  EXPECT_EQ(fault_after("[4, 2],", "[4],"),
            "x.json: configs[1]: 1 values, where configs[0] has 2; every row has one for each "
            "parameter");
  EXPECT_EQ(fault_after("\"A\": [1, 2]", "\"A\": [1, 2], \"C\": [1]"),
            "x.json: configs[0]: 2 values, expected 3, one for each of parameters");
  EXPECT_EQ(fault_after("[4, 2.5, null", "[2.5, null"),
            "x.json: time_ms: expected 5 entries, one for each row of configs, got 4");
  EXPECT_EQ(fault_after("[0, 0, 1", "[0, 0, 0, 1"),
            "x.json: status: expected 5 entries, one for each row of configs, got 6");
}

TEST(ReplayFile, TimesThatAreNone) {
  for (const std::string time : {"0", "-1", "1e+308", "\"2.5\"", "false"}) {
    EXPECT_EQ(fault_after("2.5,", time + ","),
              "x.json: time_ms[1]: got " + time +
                  ", expected a finite time above 0, or null where it failed");
  }
}

TEST(ReplayFile, StatusAndTimeMustAgree) {
  EXPECT_EQ(fault_after("[0, 0, 1, 0, 2]", "[0, 2, 1, 0, 2]"),
            "x.json: status[1]: got 2, but time_ms[1] is a time; what is ok has a time, and "
            "nothing else");
  EXPECT_EQ(fault_after("[0, 0, 1, 0, 2]", "[0, 0, 0, 0, 2]"),
            "x.json: status[2]: got 0, but time_ms[2] is null; what is ok has a time, and nothing "
            "else");
  EXPECT_EQ(fault_after("[0, 0, 1, 0, 2]", "[0, 0, 1, 0, 3]"),
            "x.json: status[4]: got 3, expected 0 (ok), 1 (compilation failed) or 2 (failed at run "
            "time)");
}

TEST(ReplayFile, TotalsMustAgreeWithTheRows) {
  EXPECT_EQ(fault_after("\"n_configs\": 5", "\"n_configs\": 6"),
            "x.json: n_configs: got 6, but the rows have 5; correct it, or leave it out");
  EXPECT_EQ(fault_after("\"n_failed\": 2", "\"n_failed\": 1"),
            "x.json: n_failed: got 1, but the rows have 2; correct it, or leave it out");
  EXPECT_EQ(fault_after("\"optimum_ms\": 2", "\"optimum_ms\": 1.9"),
            "x.json: optimum_ms: got 1.9, but the rows have 2; correct it, or leave it out");
}

TEST(ReplayFile, DeepNestingIsSkippedWhereNobodyLooks) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(fault_after("{\"text\": [[\"MIT\"]]}", deep), "(no error)");
  EXPECT_EQ(fault_after("[4, 2.5, null", "[" + deep + ", 2.5, null"),
            "x.json: time_ms: expected values, got lists of them");
}

}  // namespace
}  // namespace warpwright
