#include "replay/recording.h"

#include <gmock/gmock.h>

#include "replay/sample_recordings.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::edited;
using ::testing::ElementsAre;
using testing::error_text;
using testing::kSmallRecording;
using testing::line_of;
using testing::recording_of;

std::string recording_fault(const std::string& from, const std::string& to) {
  return error_text([&] { (void)recording_of(edited(kSmallRecording, from, to)); });
}

// The sample without the members that describe all rows together.
std::string without_totals() {
  return edited(kSmallRecording, "\"n_configs\": 5, \"n_failed\": 2, ", "");
}

TEST(Recording, RowsMayStandInAnyOrder) {
  const std::string shuffled =
      edited(edited(kSmallRecording, "[[4, 1], [4, 2],", "[[8, 2], [4, 2],"), "[8, 2], [16, 1]]",
             "[4, 1], [16, 1]]");
  const Recording recording =
      recording_of(edited(shuffled, "[4, 2.5, null, 2,", "[2, 2.5, null, 4,"));
  EXPECT_EQ(recording.us, (std::vector<double>{4000, 2500, 0, 2000, 0}));
}

TEST(Recording, TheSameRowTwiceIsNamed) {
  EXPECT_EQ(recording_fault("[8, 1], [8, 2]", "[8, 2], [8, 2]"),
            "x.json: configs[3] is the same configuration as configs[2], A=2 B=8; list each once");
}

TEST(Recording, ARowThatAConstraintRejectsIsNamed) {
  EXPECT_EQ(recording_fault("[16, 1]]", "[16, 2]]"),
            "x.json: configs[4], A=2 B=16, breaks the constraint `A * B <= 16`; a recording lists "
            "what its constraints accept, and nothing else");
}

TEST(Recording, AConfigurationThatIsMissingIsNamed) {
  std::string text = edited(without_totals(), "[8, 1], ", "");
  text = edited(edited(text, "null, 2,", "2,"), "\"status\": [0, 0, 1, 0, 2],", "");
  EXPECT_EQ(error_text([&] { (void)recording_of(text); }),
            "x.json: it lists 4 of the 5 configurations that its constraints accept; A=1 B=8 is "
            "missing: a recording must be complete, because a search may ask for any of them");
}

TEST(Recording, NoConstraintAtAllAcceptsEverything) {
  EXPECT_EQ(recording_fault("[\"A * B <= 16\"]", "[]"),
            "x.json: it lists 5 of the 6 configurations that its constraints accept; A=2 B=16 is "
            "missing: a recording must be complete, because a search may ask for any of them");
}

TEST(Recording, WithoutConstraintsTheRowsAreTheSpace) {
  const Recording recording =
      recording_of(edited(kSmallRecording, "\"constraints\": [\"A * B <= 16\"],", ""));
  EXPECT_EQ(recording.count(), 5U);
  EXPECT_EQ(recording.space->neighbours(4), (std::vector<std::uint64_t>{0, 2}));
  EXPECT_TRUE(recording.head.notes.empty());
}

TEST(Recording, AConstraintOfAnotherLanguageIsANote) {
  const Recording recording = recording_of(edited(kSmallRecording, "A * B <= 16", "A ** 2 < B"));
  EXPECT_EQ(recording.count(), 5U);
  ASSERT_EQ(recording.head.notes.size(), 1U);
  EXPECT_THAT(recording.head.notes[0],
              ::testing::MatchesRegex("the constraint `A \\*\\* 2 < B` is not understood \\(.*\\): "
                                      "the 5 configurations listed are the space"));
}

TEST(Recording, AConstraintThatCannotBeEvaluatedIsANote) {
  const Recording recording =
      recording_of(edited(kSmallRecording, "A * B <= 16", "B % (A - 1) == 0"));
  EXPECT_EQ(recording.count(), 5U);
  ASSERT_EQ(recording.head.notes.size(), 1U);
  EXPECT_THAT(recording.head.notes[0],
              ::testing::MatchesRegex("the constraints cannot be solved \\(.*\\): the 5 "
                                      "configurations listed are the space"));
}

TEST(Recording, AnUnknownNameInAConstraintIsANote) {
  const Recording recording = recording_of(edited(kSmallRecording, "A * B <= 16", "A * C <= 16"));
  EXPECT_EQ(recording.head.notes.size(), 1U);
}

TEST(Recording, NothingListed) {
  EXPECT_EQ(error_text([] {
              (void)recording_of(R"({"parameters": {"A": [1]}, "configs": [], "time_ms": []})");
            }),
            "x.json: it lists no configuration; there is nothing to replay");
}

TEST(Recording, NothingThatSucceeded) {
  EXPECT_EQ(error_text([] {
              (void)line_of({0, 0});
            }),
            "line.json: none of the 2 configurations of line has a time; there is nothing to find");
}

TEST(Recording, VariantsWithOtherParametersAreGroups) {
  RecordingDraft draft;
  draft.head.name = "two variants";
  draft.groups = {{"plain", {{"T", {32, 64}}}}, {"tiled", {{"T", {32, 64}}, {"K", {1, 2}}}}};
  const auto add = [&](std::size_t group, std::vector<std::uint32_t> levels, double us) {
    RecordedRow row;
    row.place = {group, std::move(levels)};
    row.us = us;
    draft.rows.push_back(row);
  };
  add(1, {1, 0}, 5);
  add(0, {1}, 3);
  add(0, {0}, 4);
  add(1, {0, 1}, 6);
  const Recording recording = make_recording(std::move(draft));
  EXPECT_EQ(recording.count(), 4U);
  EXPECT_EQ(recording.best_us, 3);
  EXPECT_THAT(recording.space->variants(), ElementsAre("plain", "tiled"));
  for (std::uint64_t index = 0; index < 4; ++index) {
    const std::vector<Value> values = recording.values_at(index);
    EXPECT_EQ(values.size(), values[0] == Value("plain") ? 2U : 3U);
  }
}

}  // namespace
}  // namespace warpwright
