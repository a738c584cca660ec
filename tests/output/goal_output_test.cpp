// The additions of a goal to a leaderboard, as text and as JSON.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/goal_rows.h"
#include "output/json/leaderboards_json.h"
#include "output/report/report_json.h"
#include "output/text/leaderboard_text.h"

namespace warpwright {
namespace {

using testing::goals_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RowMaker;
using testing::with_energy;

class GoalOutput : public ::testing::Test {
 protected:
  GoalOutput() {
    rows_ = {with_energy(make_.ok("a", "", 100), 50, 40),
             with_energy(make_.ok("b", "", 120), 30, 48),
             with_energy(make_.ok("c", "", 130), 40, 64), make_.ok("d", "", 90)};
    goal_.metrics = {{"cost", "time_us * registers"}, {"odd", "1 / (registers - 48)"}};
    goal_.objectives = {{"time", false}, {"energy", false}};
    goal_.requirements = {"registers <= 48"};
  }
  [[nodiscard]] std::vector<Leaderboard> boards() const {
    return make_leaderboards(rows_, {}, goals_of(goal_, rows_.front()));
  }
  RowMaker make_;
  std::vector<Database::TrialRow> rows_;
  GoalRecord goal_;
};

TEST_F(GoalOutput, TheBoardSaysWhatItIsRankedByAndWhatTheMarksMean) {
  const std::string text = leaderboard_text(boards().at(0), {});
  EXPECT_THAT(text, HasSubstr("ranked by the front of time, energy; required: registers <= 48\n"));
  EXPECT_THAT(text, HasSubstr("* on the front, 2 of 3: no other is as good in every objective"));
  EXPECT_THAT(text, HasSubstr("n/a: energy of 1 configuration: energy_j was not measured\n"));
  EXPECT_THAT(text, HasSubstr("n/a: odd of 1 configuration: division by zero in"));
  EXPECT_THAT(text, HasSubstr("violates registers <= 48: 64"));
  EXPECT_THAT(text, HasSubstr("4000 ±0.40 %")) << "the time's interval, times the registers";
  EXPECT_THAT(text, Not(HasSubstr("vs best")));
}

TEST_F(GoalOutput, TheFrontAloneHasNoOthers) {
  LeaderboardTextOptions options;
  options.front_only = true;
  options.show_failures = false;
  const std::string text = leaderboard_text(boards().at(0), options);
  EXPECT_THAT(text, HasSubstr("*2"));
  EXPECT_THAT(text, Not(HasSubstr("\n     3")));
  EXPECT_THAT(text, Not(HasSubstr("more: --top")));
}

TEST_F(GoalOutput, ASingleObjectiveSaysWhichEndIsGood) {
  goal_.objectives = {{"registers", true}};
  const std::string text = leaderboard_text(boards().at(0), {});
  EXPECT_THAT(text, HasSubstr("ranked by registers, the most first; required"));
}

TEST_F(GoalOutput, JsonHasValuesReasonsAndTheFront) {
  const nlohmann::json board = leaderboards_json(boards())["leaderboards"][0];
  EXPECT_EQ(board["goal"]["objectives"][1]["name"], "energy");
  EXPECT_EQ(board["goal"]["metrics"], (nlohmann::json{"cost", "odd"}));
  const nlohmann::json& best = board["entries"][0]["goal"];
  EXPECT_EQ(best["on_front"], true);
  EXPECT_EQ(best["objectives"][1]["value"], 0.05);
  EXPECT_EQ(best["metrics"]["cost"]["value"], 4000);
  EXPECT_EQ(best["metrics"]["cost"]["why"], nullptr);
  const nlohmann::json& other = board["entries"][1]["goal"];
  EXPECT_EQ(other["metrics"]["odd"]["value"], nullptr);
  EXPECT_THAT(other["metrics"]["odd"]["why"].get<std::string>(), HasSubstr("division by zero"));
  EXPECT_EQ(board["failures"][0]["status"], "violates");
}

TEST_F(GoalOutput, TheReportHasColumnsOfTheGoal) {
  ReportSource source;
  source.boards = boards();
  const nlohmann::json board = report_json({source}, {})["boards"][0];
  EXPECT_EQ(board["goal"]["by_time"], false);
  EXPECT_EQ(board["entries"]["front"], (nlohmann::json{1, 1, 0}));
  EXPECT_EQ(board["entries"]["objectives"][1], (nlohmann::json{0.05, 0.03, nullptr}));
  EXPECT_EQ(board["entries"]["metrics"][0], (nlohmann::json{4000, 5760, 3600}));
  EXPECT_EQ(board["untimed"]["status"], (nlohmann::json{"violates"}));
}

}  // namespace
}  // namespace warpwright
