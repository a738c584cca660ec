#include "analysis/board/objections.h"

#include <gtest/gtest.h>

#include "analysis/sample_rows.h"

namespace warpwright {
namespace {

using testing::set_text;

Database::TrialRow objected(Database::TrialRow row, const std::string& kinds) {
  set_text(row.trial.measurement, R"({"hazards":[)" + kinds + "]}");
  return row;
}

constexpr const char* kRace = R"({"kind":"shared race","text":"at a.cu:1"})";
constexpr const char* kExit = R"({"kind":"exit before barrier","text":"at a.cu:2"})";

TEST(Objections, ConfigurationsAndTheirKindsAreCountedOnceForAllBoards) {
  testing::RowMaker make;
  std::vector<Database::TrialRow> rows = {
      objected(make.ok("v", "A=1", 1), kRace), make.ok("v", "A=2", 2),
      objected(make.ok("v", "A=3", 3), std::string(kRace) + "," + kExit + "," + kRace)};
  make.problem_text = "rows=1";
  make.problem_json = R"({"rows":1})";
  rows.push_back(objected(make.ok("v", "A=1", 1), kRace));
  const std::vector<Leaderboard> boards = make_leaderboards(rows);
  ASSERT_EQ(boards.size(), 2u);
  const Objections objections = count_objections(boards);
  EXPECT_EQ(objections.configurations, 2u);
  EXPECT_EQ(objections.kinds,
            (std::map<std::string, std::size_t>{{"exit before barrier", 1}, {"shared race", 2}}));
  EXPECT_EQ(kinds_text(objections), "exit before barrier (1), shared race (2)");
}

TEST(Objections, WhatCannotBeReadIsNone) {
  testing::RowMaker make;
  Database::TrialRow row = make.ok("v", "A=1", 1);
  set_text(row.trial.measurement, "{");
  const std::vector<Leaderboard> boards = make_leaderboards({row});
  EXPECT_EQ(count_objections(boards).configurations, 0u);
  EXPECT_EQ(kinds_text(count_objections(boards)), "");
}

}  // namespace
}  // namespace warpwright
