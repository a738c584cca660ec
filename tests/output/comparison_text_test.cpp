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
            R"("portability":null,"portfolios":[],"problems":[],"tallies":[],"transfers":[]})");
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

// Problems that a contender lacks are listed; they make no rows of dashes.
TEST(ComparisonText, ProblemsOfOnlyOneContenderAreListedBelowTheTables) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = gpu("cuda:1", "NVIDIA H100");
  std::vector<Database::TrialRow> of_a = {a.ok("v", "X=1", 100)};
  const std::vector<Database::TrialRow> of_b = {b.ok("v", "X=1", 150)};
  for (const char* problem : {"rows=1", "rows=2", "rows=3", "rows=4"}) {
    a.problem_text = problem;
    of_a.push_back(a.ok("v", "X=1", 7));
  }
  const Comparison comparison = compare({contender_of("A", a, of_a), contender_of("B", b, of_b)});
  const std::string text = comparison_text(comparison, {});
  EXPECT_THAT(text, HasSubstr("  rows=8192 V=50257 K=10 dtype=f32       100.0  0.40 %       150.0  "
                              "0.27 %  0.67x slower\n\n"
                              "B has no trials of 4 problems of softmax_topk: rows=1; rows=2; "
                              "rows=3; and 1 more\n"));
  EXPECT_THAT(comparison_text(comparison, {0}), HasSubstr("rows=3; rows=4\n"));
}

TEST(ComparisonText, KernelsAndCeilingsOfOnlyOneContenderAreCounted) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = gpu("cuda:1", "NVIDIA H100");
  std::vector<Database::TrialRow> of_a = {a.ok("v", "X=1", 100)};
  const std::vector<Database::TrialRow> of_b = {b.ok("v", "X=1", 150)};
  for (const char* kernel : {"one", "two"}) {
    a.kernel = kernel;
    of_a.push_back(a.ok("v", "X=1", 7));
  }
  Contender one = contender_of("A", a, of_a);
  one.ceilings = {{1, "copy", 4000, "GB/s", 3990, 4010, "ceilings-1", ""}};
  const std::string text = comparison_text(compare({one, contender_of("B", b, of_b)}), {});
  EXPECT_THAT(text, HasSubstr("\nB has no trials of the 2 problems of 2 kernels: one, two\n"));
  EXPECT_THAT(text, Not(HasSubstr("one: best time")));
  EXPECT_THAT(text, HasSubstr("measured ceilings\n  1 ceiling that only one contender has "
                              "measured: --json lists them\n"));
}

TEST(ComparisonText, TwoProtocolsAreSaidOnceForAllKernels) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = gpu("cuda:1", "NVIDIA H100");
  b.protocol = "cold-graph-1";
  std::vector<Database::TrialRow> of_a, of_b;
  for (const char* kernel : {"one", "two"}) {
    a.kernel = b.kernel = kernel;
    of_a.push_back(a.ok("v", "X=1", 100));
    of_b.push_back(b.ok("v", "X=1", 150));
  }
  const std::string text =
      comparison_text(compare({contender_of("A", a, of_a), contender_of("B", b, of_b)}), {});
  const std::string said =
      "B is not compared on 2 problems of 2 kernels: protocol cold-graph-1, the first has "
      "cold-events-1\n";
  const std::size_t at = text.find(said);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find("not compared", at + said.size()), std::string::npos);
}

TEST(ComparisonText, SourcesOfManyVariantsAreOneSentence) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = gpu("cuda:1", "NVIDIA H100");
  b.contract = "hash-2";
  std::vector<Database::TrialRow> of_a, of_b;
  for (const char* variant : {"v", "w", "x"}) {
    of_a.push_back(a.ok(variant, "X=1", 100));
    of_b.push_back(b.ok(variant, "X=1", 150));
  }
  a.kernel = b.kernel = "swiglu";
  of_a.push_back(a.ok("v", "X=1", 100));
  of_b.push_back(b.ok("v", "X=1", 150));
  const std::string text =
      comparison_text(compare({contender_of("A", a, of_a), contender_of("B", b, of_b)}), {});
  EXPECT_THAT(text, HasSubstr("  the sources of 4 variants differ (--json has each): softmax_topk "
                              "(3), swiglu (1)\n"));
  EXPECT_THAT(text, Not(HasSubstr("hash-1")));
}

TEST(ComparisonText, SeveralGpusOfOneNameAreCounted) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200");
  Contender contender = contender_of("NVIDIA H200", a, {a.ok("v", "X=1", 100)});
  contender.devices.push_back({"cuda:1", "another"});
  EXPECT_THAT(comparison_text(compare({contender}), {}), HasSubstr("  2 x NVIDIA H200  "));
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
