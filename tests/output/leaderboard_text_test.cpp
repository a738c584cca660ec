#include "output/leaderboard_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/golden.h"
#include "output/sample_boards.h"

namespace warpwright {
namespace {

using testing::expect_golden;
using ::testing::HasSubstr;
using testing::measured_rows;
using testing::modelled_rows;
using ::testing::Not;
using testing::RowMaker;

class LeaderboardTextTest : public ::testing::Test {
 protected:
  static std::string text_of(const std::vector<Database::TrialRow>& rows,
                             const LeaderboardTextOptions& options = {}) {
    std::string text;
    for (const Leaderboard& board : make_leaderboards(rows))
      text += leaderboard_text(board, options);
    return text;
  }
  RowMaker make_;
};

TEST_F(LeaderboardTextTest, Measured) {
  expect_golden("leaderboard_measured.txt", text_of(measured_rows(make_)));
}

TEST_F(LeaderboardTextTest, Modelled) {
  expect_golden("leaderboard_modelled.txt", text_of(modelled_rows(make_)));
}

TEST_F(LeaderboardTextTest, Coloured) {
  expect_golden("leaderboard_colour.txt", text_of(measured_rows(make_), {.colour = true}));
}

TEST_F(LeaderboardTextTest, NothingPassed) {
  expect_golden("leaderboard_nothing_passed.txt",
                text_of({make_.failed("naive", "", Status::kCrashed,
                                      "worker killed by signal 11 (Segmentation fault)"),
                         make_.failed("block_row", "THREADS=2048", Status::kInvalid,
                                      "THREADS=2048 exceeds device.max_threads 1024")}));
}

TEST_F(LeaderboardTextTest, ComputeBoundKernelsShowOperations) {
  make_.kernel = "attention_prefill";
  make_.problem_text = "B=1 H=32 S=8192 causal=1";
  make_.work_bytes = 0;
  make_.work_flops = 5.5e11;
  expect_golden("leaderboard_flops.txt", text_of({make_.ok("wgmma", "TILE_Q=128", 905),
                                                  make_.ok("wmma", "TILE_Q=64", 4210)}));
}

TEST_F(LeaderboardTextTest, OlderSourcesAreToldApart) {
  std::vector<Database::TrialRow> rows = measured_rows(make_);
  make_.contract = "hash-2";
  make_.generation = 2;
  rows.push_back(make_.ok("naive", "THREADS=256", 6300));
  make_.device_id = "cuda:1";
  make_.contract = "hash-3";
  make_.generation = 3;
  rows.push_back(make_.ok("naive", "THREADS=256", 6100));
  expect_golden("leaderboard_older_sources.txt", text_of(rows, {.show_failures = false}));
}

TEST_F(LeaderboardTextTest, TopLimitsTheEntriesAndSaysSo) {
  const std::string text = text_of(measured_rows(make_), {.top = 2});
  EXPECT_THAT(text, HasSubstr("CHUNK=8 THREADS=512"));
  EXPECT_THAT(text, Not(HasSubstr("CHUNK=4 THREADS=256")));
  EXPECT_THAT(text, HasSubstr("\n  … 4 more: --top 0 shows all\n"));
  EXPECT_THAT(text_of(measured_rows(make_), {.top = 0}), Not(HasSubstr("more:")));
}

TEST_F(LeaderboardTextTest, WhatLongRowsShareIsSaidOnce) {
  const std::string shared = "LOAD_HINT=streaming STORE_HINT=none THREADS_PER_SM=2048";
  const std::string text = text_of({make_.ok("flat", "A=1 " + shared + " VECTOR=8", 10),
                                    make_.ok("flat", "A=2 " + shared + " VECTOR=16", 11)});
  EXPECT_THAT(text, HasSubstr("A=1 VECTOR=8 "));
  EXPECT_THAT(text, HasSubstr("A=2 VECTOR=16"));
  EXPECT_THAT(text, HasSubstr("\n  every row shown has " + shared + "\n"));
}

TEST_F(LeaderboardTextTest, ShortRowsAreShownWhole) {
  const std::string text =
      text_of({make_.ok("flat", "A=1 B=2", 10), make_.ok("flat", "A=2 B=2", 11)});
  EXPECT_THAT(text, HasSubstr("A=1 B=2"));
  EXPECT_THAT(text, Not(HasSubstr("every row shown has")));
}

TEST_F(LeaderboardTextTest, FailuresCanBeLeftOut) {
  EXPECT_THAT(text_of(measured_rows(make_), {.show_failures = false}),
              Not(HasSubstr("not ranked")));
}

TEST_F(LeaderboardTextTest, HotTimesSaySo) {
  make_.protocol = "hot-events-1";
  EXPECT_THAT(text_of({make_.ok("a", "", 1)}), HasSubstr("NVIDIA H200 (cuda:0), hot, measured\n"));
}

TEST_F(LeaderboardTextTest, AnUnknownProtocolIsNamed) {
  make_.protocol = "slope-2";
  EXPECT_THAT(text_of({make_.ok("a", "", 1)}),
              HasSubstr("NVIDIA H200 (cuda:0), slope-2, measured\n"));
}

TEST_F(LeaderboardTextTest, ALoneBestHasNoTieMark) {
  const std::string text = text_of({make_.ok("a", "", 1), make_.ok("b", "", 100)});
  EXPECT_THAT(text, Not(HasSubstr(" =1")));
  EXPECT_THAT(text, Not(HasSubstr("ties with")));
}

TEST_F(LeaderboardTextTest, ManyCausesAreCut) {
  std::vector<Database::TrialRow> rows;
  for (char c = 'a'; c <= 'p'; ++c)
    rows.push_back(
        make_.failed("v", std::string(1, c), Status::kHazard, std::string("race in ") + c));
  EXPECT_THAT(text_of(rows), HasSubstr("\n  … and 4 more causes: --json, or view v_failure\n"));
}

}  // namespace
}  // namespace warpwright
