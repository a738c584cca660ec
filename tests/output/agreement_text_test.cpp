#include "output/text/agreement_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "output/golden.h"
#include "output/json/agreement_json.h"
#include "output/json/versions_json.h"
#include "output/text/versions_text.h"
#include "support/stored_text.h"
#include "terminal/narrow.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

BoardAgreement board_agreement(const std::string& kernel, const std::string& problem) {
  BoardAgreement board;
  board.kernel = kernel;
  board.problem_text = problem;
  set_text(board.problem, "\"" + problem + "\"");
  board.protocols = {"cold-graph-1", "cold-graph-1"};
  board.timed = {200, 180};
  board.pruned = {20, 40};
  board.timed_in_both = 170;
  board.tau = 0.98765;
  board.known_in_both = 220;
  board.tau_with_pruned = 0.9;
  board.tie_sets = TieSets::kOverlapping;
  board.tied = {3, 5};
  board.tied_in_both = 2;
  board.winners = {"flat THREADS=64", "flat THREADS=128"};
  board.elsewhere = {WinnerElsewhere{WinnerElsewhere::How::kTimed, 1.0123},
                     WinnerElsewhere{WinnerElsewhere::How::kPruned, std::nullopt}};
  return board;
}

Agreement agreement_sample() {
  Agreement agreement;
  for (std::size_t i = 0; i < 2; ++i) {
    agreement.contenders[i].name = i == 0 ? "first.db" : "second.db";
    agreement.contenders[i].device_name = "NVIDIA H200";
    agreement.contenders[i].devices = {{"cuda:0", "fingerprint"}};
    agreement.contenders[i].trials = 1234;
  }
  agreement.boards = {board_agreement("rows_sum", "rows=8 d=4096 dtype=bf16"),
                      board_agreement("rows_sum", "rows=8192 d=4096 dtype=bf16"),
                      board_agreement("scan", "n=1000")};
  agreement.boards[1].winners[1] = agreement.boards[1].winners[0];
  agreement.boards[1].tie_sets = TieSets::kEqual;
  agreement.boards[2].tau = std::nullopt;
  agreement.boards[2].tie_sets = TieSets::kDisjoint;
  agreement.boards[2].elsewhere[1].how = WinnerElsewhere::How::kNotTimed;
  agreement.alone = {{1, "scan", "n=2000", "cold-graph-1"}};
  return agreement;
}

VersionTable versions_sample() {
  VersionTable table;
  table.sweep = "configs/scan.yaml";
  table.kernel = "scan";
  table.device_name = "NVIDIA H200";
  table.device_id = "cuda:0";
  table.protocol = "cold-graph-1";
  table.problem_texts = {"n=1000 dtype=f32", "n=2000 dtype=f32"};
  table.problems = {Problem{{"n", 1000}}, Problem{{"n", 2000}}};
  const VersionCell slow{VersionTime{20, 19.5, 20.5, false, "tiled TILE=32"}};
  const VersionCell fast{VersionTime{10, 9.5, 10.5, true, "tiled TILE=64"}};
  const VersionCell best{VersionTime{5, 4.5, 5.5, false, "wide TILE=64"}};
  table.versions = {
      {"V0", {slow, slow}}, {"V1", {fast, {std::nullopt, "pruned"}}}, {"V2", {{}, {}}}};
  table.variants = {"tiled"};
  table.best_of_variants = {"", {fast, slow}};
  table.best_of_all = {"", {best, slow}};
  table.gain = {2.0, 1.0};
  table.peers = {{"eager", {slow, {}}}};
  return table;
}

TEST(AgreementText, Golden) { expect_golden("agreement.txt", agreement_text(agreement_sample())); }

TEST(AgreementText, FitsEveryTerminal) {
  testing::expect_fits(
      [](const Screen& screen) { return agreement_text(agreement_sample(), screen); });
}

TEST(VersionsText, FitsEveryTerminal) {
  const VersionTable table = versions_sample();
  std::vector<std::string> times;
  for (const VersionCell& cell : table.best_of_all.cells)
    if (cell.time) times.push_back(format_us(cell.time->median_us));
  testing::expect_fits([&](const Screen& screen) { return versions_text(table, screen); }, times);
}

TEST(AgreementText, TwoKindsAreCalledSo) {
  Agreement agreement = agreement_sample();
  EXPECT_THAT(agreement_text(agreement), Not(HasSubstr("two kinds")));
  agreement.boards[0].protocols[1] = "model-1";
  EXPECT_THAT(agreement_text(agreement), HasSubstr("only their orders are compared"));
}

TEST(AgreementText, NothingSharedIsSaid) {
  Agreement agreement = agreement_sample();
  agreement.boards.clear();
  const std::string text = agreement_text(agreement);
  EXPECT_THAT(text, HasSubstr("they have no problem in common for which both have times\n"));
  EXPECT_THAT(text, HasSubstr("only B has scan n=2000 (cold-graph-1)\n"));
}

TEST(AgreementText, JsonSaysWhatHasNoValue) {
  const nlohmann::json json = agreement_json(agreement_sample());
  EXPECT_EQ(json["boards"][0]["tau_b"], 0.98765);
  EXPECT_TRUE(json["boards"][2]["tau_b"].is_null());
  EXPECT_EQ(json["boards"][0]["winner_elsewhere"][1]["how"], "pruned");
  EXPECT_TRUE(json["boards"][0]["winner_elsewhere"][1]["cost"].is_null());
  EXPECT_EQ(json["boards"][0]["same_winner"], false);
  EXPECT_EQ(json["alone"][0]["contender"], 1);
}

TEST(VersionsText, Golden) { expect_golden("versions.txt", versions_text(versions_sample())); }

// A version whose time is known has its rate and its share of the limit next to it.
VersionTable rated_sample() {
  VersionTable table = versions_sample();
  table.modelled = true;
  table.protocol = "model-1";
  VersionTime& fast = *table.versions[1].cells[0].time;
  fast.gigaflops_per_second = 1500;
  fast.limit_share = LimitShare{Standing::kFraction, 0.75};
  VersionTime& slow = *table.versions[0].cells[0].time;
  slow.gigaflops_per_second = 750;
  slow.limit_share = LimitShare{Standing::kFraction, 0.375};
  table.order = {{"V1", "V0"}, {"V0"}};
  return table;
}

TEST(VersionsText, GoldenWithRates) {
  expect_golden("versions_rated.txt", versions_text(rated_sample()));
}

TEST(VersionsText, JsonHasRatesAndTheOrder) {
  const nlohmann::json table = versions_json({rated_sample()})["versions"][0];
  EXPECT_EQ(table["rows"][1]["cells"][0]["gflop_per_s"], 1500.0);
  EXPECT_EQ(table["rows"][1]["cells"][0]["limit_fraction"], 0.75);
  EXPECT_TRUE(table["best_of_all"][0]["gflop_per_s"].is_null());
  EXPECT_EQ(table["order"][0], (nlohmann::json{"V1", "V0"}));
}

TEST(VersionsText, JsonKeepsWhatWasNotTriedApartFromWhatFailed) {
  const nlohmann::json table = versions_json({versions_sample()})["versions"][0];
  EXPECT_EQ(table["rows"][1]["cells"][0]["tied_with_best"], true);
  EXPECT_EQ(table["rows"][1]["cells"][1]["status"], "pruned");
  EXPECT_TRUE(table["rows"][2]["cells"][0].is_null());
  EXPECT_EQ(table["peers"][0]["name"], "eager");
}

}  // namespace
}  // namespace warpwright::testing
