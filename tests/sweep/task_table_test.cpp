// Tests where compile results go, which tasks are open, and which are dropped.
#include "sweep/task_table.h"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CompileResult compiled(const std::string& cubin) {
  CompileResult result;
  result.ok = true;
  result.cubin = cubin;
  return result;
}

TrialTask trial_of(std::size_t board, std::int64_t threads, std::size_t cases = 0) {
  TrialTask task;
  task.question.board = board;
  task.trial().configuration.variant = "plain";
  task.trial().configuration.values["THREADS"] = Value(threads);
  task.trial().cases.resize(cases);
  return task;
}

RankingTask ranking_of(std::size_t board, std::size_t finalists) {
  RankingTask task;
  task.board = board;
  task.request->what.emplace<FinalistsToRank>().finalists.resize(finalists);
  return task;
}

class TaskTableTest : public ::testing::Test {
 protected:
  TaskTable::Id add(TrialTask task, std::uint64_t first_ticket, std::size_t jobs) {
    return expect(table_.add(std::move(task)), first_ticket, jobs);
  }
  TaskTable::Id expect(TaskTable::Id id, std::uint64_t first_ticket, std::size_t jobs) {
    for (std::size_t i = 0; i < jobs; ++i) table_.expect(id, first_ticket + i, i);
    return id;
  }
  TaskTable table_{2};
};

TEST_F(TaskTableTest, ResultsOfATrialGoToItsProblemAndItsCases) {
  const TaskTable::Id id = add(trial_of(0, 32, 2), 70, 3);
  EXPECT_FALSE(table_.compiled(71, compiled("case 0")));
  EXPECT_FALSE(table_.compiled(70, compiled("problem")));
  EXPECT_EQ(table_.compiled(72, compiled("case 1")), id) << "now it waits for none";
  const CompiledTrial& trial = table_.trial(id)->trial();
  EXPECT_EQ(trial.compiled.cubin, "problem");
  EXPECT_EQ(trial.cases[0].compiled.cubin, "case 0");
  EXPECT_EQ(trial.cases[1].compiled.cubin, "case 1");
}

TEST_F(TaskTableTest, ResultsOfARankingGoToItsFinalists) {
  const TaskTable::Id id = expect(table_.add(ranking_of(1, 2)), 5, 2);
  EXPECT_FALSE(table_.compiled(6, compiled("second")));
  EXPECT_EQ(table_.compiled(5, compiled("first")), id);
  const RankingTask task = table_.take_ranking(id);
  EXPECT_EQ(task.asked().finalists[0].compiled.cubin, "first");
  EXPECT_EQ(task.asked().finalists[1].compiled.cubin, "second");
  EXPECT_TRUE(table_.empty());
}

TEST_F(TaskTableTest, AResultCountsOnce) {
  const TaskTable::Id id = add(trial_of(0, 32, 1), 1, 2);
  EXPECT_FALSE(table_.compiled(1, compiled("a")));
  EXPECT_FALSE(table_.compiled(1, compiled("again")));
  EXPECT_EQ(table_.trial(id)->trial().compiled.cubin, "a");
}

TEST_F(TaskTableTest, ResultsOfATaskThatIsGoneAreIgnored) {
  const TaskTable::Id id = add(trial_of(0, 32), 1, 1);
  (void)table_.take_trial(id);
  EXPECT_FALSE(table_.compiled(1, compiled("late")));
  EXPECT_FALSE(table_.compiled(99, compiled("of no task")));
}

TEST_F(TaskTableTest, ATaskIsOfItsKind) {
  const TaskTable::Id trial = table_.add(trial_of(0, 32));
  const TaskTable::Id ranking = table_.add(ranking_of(0, 2));
  EXPECT_NE(table_.trial(trial), nullptr);
  EXPECT_EQ(table_.ranking(trial), nullptr);
  EXPECT_EQ(table_.trial(ranking), nullptr);
  EXPECT_NE(table_.ranking(ranking), nullptr);
  EXPECT_EQ(table_.trial(ranking + 1), nullptr);
}

TEST_F(TaskTableTest, TasksOfEveryKindAreOpenOnTheirBoard) {
  const TaskTable::Id trial = table_.add(trial_of(1, 32));
  const TaskTable::Id ranking = table_.add(ranking_of(1, 2));
  EXPECT_EQ(table_.open(0), 0u);
  EXPECT_EQ(table_.open(1), 2u);
  EXPECT_EQ(table_.take_trial(trial).question.board, 1u);
  EXPECT_EQ(table_.open(1), 1u);
  table_.drop({ranking, ranking, 1234});
  EXPECT_EQ(table_.open(1), 0u);
  EXPECT_TRUE(table_.empty());
}

TEST_F(TaskTableTest, WaitingTrialsComeInTheirOrder) {
  std::vector<TaskTable::Id> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(table_.add(trial_of(0, 32 << i)));
  EXPECT_THAT(table_.waiting(), IsEmpty());
  table_.trial(ids[2])->waiting = table_.trial(ids[0])->waiting = true;
  EXPECT_THAT(table_.waiting(), ElementsAre(ids[0], ids[2]));
}

TEST_F(TaskTableTest, WhatHasNotReachedADeviceIsDropped) {
  const TaskTable::Id compiling = add(trial_of(0, 32), 1, 1);
  const TaskTable::Id waiting = add(trial_of(0, 64), 2, 1);
  const TaskTable::Id measuring = add(trial_of(0, 96), 3, 1);
  const TaskTable::Id ranking = expect(table_.add(ranking_of(1, 1)), 4, 1);
  (void)table_.compiled(2, compiled("x"));
  (void)table_.compiled(3, compiled("x"));
  table_.trial(waiting)->waiting = true;
  table_.drop_held();
  EXPECT_EQ(table_.trial(compiling), nullptr);
  EXPECT_EQ(table_.trial(waiting), nullptr);
  EXPECT_NE(table_.trial(measuring), nullptr);
  EXPECT_EQ(table_.ranking(ranking), nullptr) << "it was still compiling";
  EXPECT_EQ(table_.size(), 1u);
  EXPECT_EQ(table_.open(0), 1u);
  EXPECT_EQ(table_.open(1), 0u);
}

TEST_F(TaskTableTest, TrialsOfAConfigurationAreFoundOnEveryBoard) {
  const TaskTable::Id compiling = add(trial_of(0, 64), 1, 1);
  const TaskTable::Id measuring = table_.add(trial_of(1, 64));
  table_.add(trial_of(0, 32));
  table_.add(ranking_of(0, 1));
  const auto found =
      table_.of_configuration(table_.trial(measuring)->trial().configuration.to_string());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].task, compiling);
  EXPECT_TRUE(found[0].held);
  EXPECT_EQ(found[1].task, measuring);
  EXPECT_FALSE(found[1].held);
}

}  // namespace
}  // namespace warpwright
