#include "sweep/trial_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright {

TrialSource::TrialSource(std::vector<PlannedBoard>& boards, const Budget& budget,
                         Clock::time_point start)
    : planned_(boards), budget_(budget), start_(start), boards_(boards.size()) {}

std::uint64_t TrialSource::planned() const {
  std::uint64_t total = 0;
  for (const PlannedBoard& board : planned_) {
    const std::uint64_t all = board.space->count();
    total += budget_.trials ? std::min(all, static_cast<std::uint64_t>(*budget_.trials)) : all;
  }
  return total;
}

std::optional<TrialSource::Question> TrialSource::next() {
  for (; current_ < boards_.size(); ++current_) {
    if (const auto index = ask(current_)) return Question{current_, *index};
  }
  return std::nullopt;
}

std::optional<std::uint64_t> TrialSource::ask(std::size_t board) {
  State& state = boards_[board];
  if (state.abandoned) return std::nullopt;
  if (budget_.trials && state.asked >= static_cast<std::uint64_t>(*budget_.trials)) {
    if (state.asked < planned_[board].space->count()) cut_short_ = true;
    return std::nullopt;
  }
  if (budget_.time) {
    // The remaining time is shared evenly among the remaining boards.
    if (!state.deadline) {
      const auto left = start_ + *budget_.time - Clock::now();
      state.deadline = Clock::now() + left / static_cast<int>(boards_.size() - board);
    }
    if (Clock::now() >= *state.deadline) {
      cut_short_ = true;
      return std::nullopt;
    }
  }
  const std::optional<std::uint64_t> index = planned_[board].strategy->ask();
  if (index) ++state.asked;
  return index;
}

void TrialSource::tell(const Question& question, const TrialRecord& trial) {
  Answer answer{question.index};
  if (trial.status == Status::kOk) answer.cost = trial.median_us;
  if (trial.status == Status::kPruned) answer.at_least = trial.at_least_us;
  planned_[question.board].strategy->tell(answer);
  correct(question, trial);
}

void TrialSource::correct(const Question& question, const TrialRecord& trial) {
  const auto time = trial.status == Status::kOk ? trial.median_us : std::nullopt;
  State& state = boards_[question.board];
  if (!time || (state.best_us && *time >= *state.best_us)) return;
  state.best_us = time;
  state.best = trial.configuration_text;
}

TrialSource::Note TrialSource::note(std::size_t board) const {
  const State& state = boards_[board];
  if (!state.best_us) return {"no valid configuration yet", ""};
  return {fmt::format("best {:.4g} µs{}", *state.best_us,
                      planned_[board].summary.device.has_clock ? "" : " modelled"),
          state.best};
}

}  // namespace warpwright
