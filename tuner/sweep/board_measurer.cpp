#include "sweep/board_measurer.h"

#include <algorithm>

#include "sweep/goal_rules.h"
#include "trial/timing/race.h"
#include "workers/watchdog.h"

namespace warpwright {

void BoardMeasurer::measure(TaskTable::Id id, const TrialTask& task) {
  const std::size_t board = task.question.board;
  task.asked().best_us = source_.best_us(board);
  task.asked().energy = counts_energy(plan_, board);
  submit(id, board, task.request, task.pinned() ? std::optional(task.device) : std::nullopt);
}

void BoardMeasurer::measure(TaskTable::Id id, const RankingTask& task) {
  submit(id, task.board, task.request, plan_.boards[task.board].device);
}

void BoardMeasurer::submit(TaskTable::Id id, std::size_t board,
                           const std::shared_ptr<MeasureRequest>& request,
                           std::optional<std::size_t> device) {
  since_.try_emplace(board, host_.now());
  request->launch_time_limit = launch_time_limit(plan_.device_of(board), source_.best_us(board));
  workers_.measure(id, board, request, device);
}

void BoardMeasurer::pause(std::size_t board) {
  const auto since = since_.find(board);
  if (since == since_.end()) return;
  before_[board] = host_.now() - since->second;
  since_.erase(since);
}

std::optional<std::chrono::milliseconds> BoardMeasurer::ranking_time(std::size_t board) const {
  // Loading, validating and the headline double this time.
  constexpr int kShare = 20;
  constexpr std::chrono::milliseconds kLeast{150};
  const auto since = since_.find(board);
  const auto before = before_.find(board);
  if (since == since_.end() && before == before_.end()) return std::nullopt;
  std::chrono::duration<double> time(0);
  if (since != since_.end()) time += host_.now() - since->second;
  if (before != before_.end()) time += before->second;
  // If the GPUs of a very large group are spread over the boards, a board takes longer than its own
  // trials.
  const auto trials = trials_s_.find(board);
  if (plan_.group_of(board).distinct.size() > kGpusToARanker && trials != trials_s_.end())
    time = std::min(time, std::chrono::duration<double>(trials->second));
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(time);
  return std::clamp(spent / kShare, kLeast, RaceOptions().time_limit);
}

}  // namespace warpwright
