#include "output/text/comparison_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "output/golden.h"
#include "output/json/comparison_json.h"
#include "output/sample_comparisons.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

using testing::contender_of;
using testing::emulator;
using testing::expect_golden;
using testing::gpu;
using ::testing::HasSubstr;
using testing::mixed_comparison;
using ::testing::Not;
using testing::regression_comparison;
using testing::RowMaker;

void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100u) << line;
}

TEST(ComparisonText, GoldenOfThreeKindsOfTimes) {
  const std::string text = comparison_text(mixed_comparison(), {});
  expect_golden("comparison_mixed.txt", text);
  expect_narrow(text);
}

TEST(ComparisonText, GoldenOfTwoRuns) {
  const std::string text = comparison_text(regression_comparison(), {});
  expect_golden("comparison_runs.txt", text);
  expect_narrow(text);
}

TEST(ComparisonText, GoldenInColour) {
  expect_golden("comparison_colour.txt", comparison_text(regression_comparison(), {1, true}));
}

TEST(ComparisonJson, GoldenOfThreeKindsOfTimes) {
  expect_golden("comparison_mixed.json", comparison_json(mixed_comparison()).dump(2) + "\n");
}

TEST(ComparisonJson, OfNobodyHasAllItsKeys) {
  EXPECT_EQ(comparison_json(compare({})).dump(),
            R"({"ceilings":[],"contenders":[],"differences":[],"one_device":false,)"
            R"("portfolios":[],"problems":[],"tallies":[]})");
}

TEST(ComparisonText, LettersGoOnBehindZ) {
  EXPECT_EQ(contender_letter(0), "A");
  EXPECT_EQ(contender_letter(25), "Z");
  EXPECT_EQ(contender_letter(26), "AA");
  EXPECT_EQ(contender_letter(701), "ZZ");
  EXPECT_EQ(contender_letter(702), "AAA");
}

TEST(ComparisonText, OneContenderIsShownAlone) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200");
  const std::string text =
      comparison_text(compare({contender_of("cuda:0", a, {a.ok("v", "X=1", 100)})}), {});
  EXPECT_THAT(text, HasSubstr("A measured"));
  EXPECT_THAT(text, Not(HasSubstr("against A")));
  EXPECT_THAT(text, Not(HasSubstr("portability")));
}

TEST(ComparisonText, ContendersThatShareNothingSaySo) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = emulator("emu:sm_80");
  b.kernel = "swiglu";
  const std::string text = comparison_text(compare({contender_of("A", a, {a.ok("v", "X=1", 100)}),
                                                    contender_of("B", b, {b.ok("v", "X=1", 100)})}),
                                           {});
  EXPECT_THAT(text, HasSubstr("no problem was tried by two of them, so there is nothing to "
                              "compare\n"));
  EXPECT_THAT(text, HasSubstr("A has no trials of swiglu\n"));
  EXPECT_THAT(text, HasSubstr("B has no trials of softmax_topk\n"));
}

TEST(ComparisonText, WithoutAnyTrialsItSaysSo) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200");
  EXPECT_THAT(comparison_text(compare({contender_of("A", a, {})}), {}),
              HasSubstr("nothing to compare: none of them has trials of what was asked for\n"));
}

TEST(ComparisonText, WhatFailsEverywhereOnOneContenderHasNoTime) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = gpu("cuda:1", "NVIDIA T4");
  const std::string text = comparison_text(
      compare({contender_of("A", a, {a.ok("v", "X=1", 100)}),
               contender_of("B", b, {b.failed("v", "X=1", Status::kInvalid, "too large")})}),
      {});
  EXPECT_THAT(text, HasSubstr("B is not compared on 1 problem: no time\n"));
  EXPECT_THAT(text, HasSubstr("1 fails somewhere"));
}

// Wide characters in names, many contenders, many problems, and counts with many digits.
TEST(ComparisonText, StaysNarrowWhateverItHolds) {
  std::vector<Contender> contenders;
  for (int i = 0; i < 30; ++i) {
    RowMaker make =
        gpu("cuda:" + std::to_string(i), "显卡 " + std::string(60, 'x') + std::to_string(i));
    std::vector<Database::TrialRow> rows;
    for (int problem = 0; problem < 12; ++problem) {
      make.problem_text = "rows=" + std::to_string(1 << problem) +
                          " V=123456789 K=10 long=" + std::string(70, '9') + " dtype=f32";
      rows.push_back(make.ok("persistent", "LOAD_HINT=streaming " + std::string(90, 'P') + "=1",
                             1e9 + 1e7 * i + problem));
      rows.push_back(make.ok("persistent", "X=" + std::to_string(i), 2e9 - 1e7 * i));
    }
    contenders.push_back(contender_of("显卡 " + std::to_string(i), make, rows));
    contenders.back().trials = 123'456'789'012;
  }
  const std::string text = comparison_text(compare(contenders), {3, false});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // Words and configurations that are longer than a line stay whole.
    const bool whole =
        line.find("PPPP") != std::string::npos || line.find("99999999") != std::string::npos;
    EXPECT_TRUE(whole || display_width(line) <= 100) << line;
  }
  EXPECT_THAT(text, HasSubstr("… 9 more problems in detail: --top 0 shows all\n"));
}

}  // namespace
}  // namespace warpwright
