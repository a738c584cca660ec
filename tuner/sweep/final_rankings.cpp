#include "sweep/final_rankings.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workers/worker_recipe.h"

namespace warpwright {

std::size_t FinalRankings::start(std::size_t board) {
  std::optional<RankingTask> task = stage_.begin(board);
  if (!task) return 0;
  task->asked().time_limit = measurer_.ranking_time(board);
  const std::size_t finalists = task->finalists.size();
  std::vector<CompileJob> jobs = stage_.jobs(*task);
  const TaskTable::Id id = tasks_.add(std::move(*task));
  for (std::size_t position = 0; position < jobs.size(); ++position)
    tasks_.expect(id, workers_.compilers().submit(std::move(jobs[position])), position);
  return finalists;
}

void FinalRankings::compiled(TaskTable::Id id) {
  const RankingTask& task = *tasks_.ranking(id);
  for (Finalist& finalist : task.asked().finalists)
    strip_for(plan_.device_of(task.board), finalist.compiled);
  measurer_.measure(id, task);
}

void FinalRankings::ended(TaskTable::Id id, Outcome outcome) {
  const RankingTask task = tasks_.take_ranking(id);
  possible_.judge(task, outcome);
  seconds_ += outcome.measure_seconds;
  const std::string why_not = stage_.end(task, outcome);
  if (why_not.empty()) {
    ++made_;
  } else {
    progress_.say(why_not);
  }
}

}  // namespace warpwright
