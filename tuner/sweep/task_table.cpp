#include "sweep/task_table.h"

namespace warpwright {
namespace {

CompileResult& place(TrialTask& task, std::size_t position) {
  CompiledTrial& trial = task.trial();
  return position == 0 ? trial.compiled : trial.cases.at(position - 1).compiled;
}
CompileResult& place(RankingTask& task, std::size_t position) {
  return task.asked().finalists.at(position).compiled;
}

}  // namespace

Outcome outcome_without_run(Status status, std::string reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = std::move(reason);
  return outcome;
}

std::size_t TaskTable::Entry::board() const {
  if (const auto* trial = std::get_if<TrialTask>(&task)) return trial->question.board;
  return std::get<RankingTask>(task).board;
}

bool TaskTable::Entry::held() const {
  const auto* trial = std::get_if<TrialTask>(&task);
  return compiling > 0 || (trial != nullptr && trial->waiting);
}

TaskTable::Id TaskTable::add(SweepTask task) {
  const Id id = next_++;
  const auto [added, fresh] = tasks_.emplace(id, Entry{std::move(task), 0, {}});
  ++open_[added->second.board()];
  return id;
}

void TaskTable::expect(Id task, std::uint64_t ticket, std::size_t position) {
  Entry& entry = tasks_.at(task);
  ++entry.compiling;
  entry.tickets.push_back(ticket);
  tickets_[ticket] = {task, position};
}

std::optional<TaskTable::Id> TaskTable::compiled(std::uint64_t ticket, CompileResult result) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return std::nullopt;
  const auto [id, position] = found->second;
  tickets_.erase(found);
  Entry& entry = tasks_.at(id);
  std::visit([&, at = position](auto& task) { place(task, at) = std::move(result); }, entry.task);
  if (--entry.compiling > 0) return std::nullopt;
  return id;
}

TrialTask* TaskTable::trial(Id task) {
  const auto found = tasks_.find(task);
  return found == tasks_.end() ? nullptr : std::get_if<TrialTask>(&found->second.task);
}

RankingTask* TaskTable::ranking(Id task) {
  const auto found = tasks_.find(task);
  return found == tasks_.end() ? nullptr : std::get_if<RankingTask>(&found->second.task);
}

std::vector<TaskTable::Id> TaskTable::waiting() const {
  std::vector<Id> ids;
  for (const auto& [id, entry] : tasks_) {
    const auto* trial = std::get_if<TrialTask>(&entry.task);
    if (trial != nullptr && trial->waiting) ids.push_back(id);
  }
  return ids;
}

std::vector<TaskTable::Held> TaskTable::of_configuration(const std::string& text) const {
  std::vector<Held> found;
  for (const auto& [id, entry] : tasks_) {
    const auto* trial = std::get_if<TrialTask>(&entry.task);
    if (trial != nullptr && trial->trial().configuration.to_string() == text)
      found.push_back({id, entry.held()});
  }
  return found;
}

TrialTask TaskTable::take_trial(Id task) {
  TrialTask taken = std::get<TrialTask>(std::move(tasks_.at(task).task));
  --open_[taken.question.board];
  erase(task);
  return taken;
}

RankingTask TaskTable::take_ranking(Id task) {
  RankingTask taken = std::get<RankingTask>(std::move(tasks_.at(task).task));
  --open_[taken.board];
  erase(task);
  return taken;
}

void TaskTable::drop_held() {
  std::vector<Id> held;
  for (const auto& [id, entry] : tasks_) {
    if (entry.held()) held.push_back(id);
  }
  drop(held);
}

void TaskTable::drop(const std::vector<Id>& tasks) {
  for (const Id id : tasks) {
    const auto found = tasks_.find(id);
    if (found == tasks_.end()) continue;
    --open_[found->second.board()];
    erase(id);
  }
}

void TaskTable::erase(Id task) {
  const auto found = tasks_.find(task);
  for (const std::uint64_t ticket : found->second.tickets) tickets_.erase(ticket);
  tasks_.erase(found);
}

}  // namespace warpwright
