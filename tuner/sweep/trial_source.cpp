#include "sweep/trial_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/trial_metrics.h"
#include "search/known_boards.h"
#include "stats/pareto_front.h"

namespace warpwright {
namespace {

// A strategy is first asked about the rest after this number of answers, and again whenever the
// number has grown by a tenth.
constexpr std::uint64_t kFirstLook = 10;
constexpr std::uint64_t kLooksPerAnswer = 10;

// The share of a board's trials in its first visit, and the share of its trials that may follow, in
// that visit, from the answers of other boards. Chosen by simulations of whole sweeps
// (results/search).
constexpr double kFirstVisit = 0.6;
constexpr double kAcross = 0.18;
// Smaller budgets are not worth a second visit.
constexpr std::int64_t kMinToDivide = 8;

}  // namespace

SearchWatch::SearchWatch(std::string strategy, std::uint64_t space, std::optional<double> until)
    : until_(until), next_look_(kFirstLook) {
  course_.strategy = std::move(strategy);
  course_.space = space;
}

void SearchWatch::asked(const std::string& asker) { ++course_.asked[asker]; }

void SearchWatch::answered(const std::string& asker, const Seen& seen) {
  ++course_.answered;
  course_.seconds = seen.seconds;
  if (!seen.passed) ++course_.failed;
  if (!seen.cost) return;
  if (!course_.steps.empty() && *seen.cost >= course_.steps.back().cost) return;
  course_.steps.push_back({course_.answered, seen.seconds, *seen.cost, asker});
  course_.limit_us = seen.limit_us;
}

std::string SearchWatch::near_limit() const {
  if (!course_.limit_us || course_.steps.empty()) return "";
  const double best = course_.steps.back().cost;
  if (best > *course_.limit_us * (1 + *until_)) return "";
  return fmt::format("the best is within {:.2g} % of the device's limit, {:.4g} µs",
                     std::max(0.0, 100 * (best / *course_.limit_us - 1)), *course_.limit_us);
}

std::string SearchWatch::enough(Strategy& strategy) {
  if (!until_) return "";
  if (std::string near = near_limit(); !near.empty()) return near;
  if (course_.answered < next_look_) return "";
  next_look_ = course_.answered + std::max<std::uint64_t>(1, course_.answered / kLooksPerAnswer);
  const std::optional<Outlook> outlook = strategy.outlook(*until_);
  if (!outlook || outlook->chance >= kWorthwhileChance) return "";
  return fmt::format("the chance of another {:.3g} % is {:.2g} %", 100 * *until_,
                     100 * outlook->chance);
}

SearchCourse SearchWatch::course(Strategy& strategy) const {
  SearchCourse course = course_;
  const double gain = until_.value_or(kUsualGain);
  const bool rest = course.answered < course.space;
  if (const std::optional<Outlook> outlook = rest ? strategy.outlook(gain) : std::nullopt)
    course.rest = SearchCourse::Rest{gain, outlook->chance, outlook->likely_best};
  return course;
}

TrialSource::TrialSource(std::vector<PlannedBoard>& boards, const GoalSpec& goal,
                         const Budget& budget, Clock::time_point start,
                         std::function<Clock::time_point()> now)
    : planned_(boards),
      goal_(goal),
      budget_(budget),
      start_(start),
      now_(std::move(now)),
      boards_(boards.size()) {
  for (std::size_t board = 0; board < boards.size(); ++board) {
    boards_[board].watch =
        SearchWatch(boards[board].strategy_name, boards[board].space->count(), budget.until);
    lanes_.resize(std::max(lanes_.size(), boards[board].group + 1));
    lanes_[boards[board].group].visits.push_back(board);
  }
  // A group may have no board that its devices can run.
  if (lanes_.empty()) lanes_.emplace_back();
  plan_visits();
}

// A second visit makes the board's inputs once more, so the last board goes on at once. A budget of
// time cannot be divided, because the duration of a visit is unknown.
void TrialSource::plan_visits() {
  if (!budget_.trials || budget_.time || *budget_.trials < kMinToDivide) return;
  const auto first =
      static_cast<std::uint64_t>(std::llround(kFirstVisit * static_cast<double>(*budget_.trials)));
  for (Lane& lane : lanes_) {
    std::vector<std::size_t> again;
    for (const std::size_t board : lane.visits)
      if (planned_[board].warm_start && planned_[board].questions > first) again.push_back(board);
    if (again.size() < 2) continue;
    for (const std::size_t board : again) boards_[board].first_visit = first;
    lane.visits.insert(lane.visits.end(), again.rbegin(), again.rend());
  }
}

std::size_t TrialSource::across(std::size_t board) const {
  const State& state = boards_[board];
  if (!state.first_visit) return 0;
  const auto trials = static_cast<double>(budget_.trials.value_or(0));
  if (!state.came_back) return static_cast<std::size_t>(std::llround(kAcross * trials));
  return static_cast<std::size_t>(*budget_.trials) - *state.first_visit;
}

bool TrialSource::leaves(std::size_t board) {
  State& state = boards_[board];
  if (!state.first_visit || state.came_back || state.abandoned) return false;
  state.between = state.asked >= *state.first_visit;
  return state.between;
}

std::uint64_t TrialSource::planned() const {
  std::uint64_t total = 0;
  for (const PlannedBoard& board : planned_) {
    const std::uint64_t all = board.questions;
    total += budget_.trials ? std::min(all, static_cast<std::uint64_t>(*budget_.trials)) : all;
  }
  return total;
}

bool TrialSource::is_held() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.held; });
}

std::optional<TrialSource::Question> TrialSource::next(std::size_t group) {
  if (group >= lanes_.size()) return std::nullopt;
  Lane& lane = lanes_[group];
  lane.held = false;
  for (; lane.current < lane.visits.size(); ++lane.current) {
    const std::size_t board = lane.visits[lane.current];
    State& state = boards_[board];
    if (state.over) continue;
    if (must_wait(board)) return std::nullopt;
    if (std::exchange(state.between, false)) {
      state.came_back = true;
      if (!state.abandoned) on_return_(board);
    }
    if (leaves(board)) continue;
    lane.held = !state.begun && !state.abandoned && holds_(board);
    if (lane.held) return std::nullopt;
    const auto index = ask(board);
    if (!index) {
      if (comes_back(board)) {
        state.between = true;
        state.deadline.reset();
        state.asked_before = state.asked;
        lane.visits.push_back(board);
      } else {
        state.over = true;
        cut_short_ |= state.stop.code == StopCode::kBudget;
      }
      continue;
    }
    Question question{board, *index, planned_[board].strategy->asker()};
    if (question.asker.empty()) question.asker = planned_[board].strategy_name;
    state.watch.asked(question.asker);
    return question;
  }
  return std::nullopt;
}

bool TrialSource::must_wait(std::size_t board) const {
  constexpr std::size_t kShare = 6;  // of the budget
  constexpr std::size_t kMin = 4;
  const State& state = boards_[board];
  if (state.abandoned || !listens_to_beliefs(planned_[board].strategy_name)) return false;
  std::size_t most = lanes_[planned_[board].group].most_open;
  if (budget_.trials) {
    const auto trials = static_cast<std::size_t>(*budget_.trials);
    most = std::min(most, std::max(kMin, trials / kShare));
  }
  return state.open.size() >= most;
}

TrialSource::Stop TrialSource::ends(std::size_t board) {
  State& state = boards_[board];
  if (state.asked >= planned_[board].questions) {
    const bool all = planned_[board].summary.asked >= planned_[board].space->count();
    return {all ? StopCode::kSpace : StopCode::kBudget, ""};
  }
  if (budget_.trials && state.asked >= static_cast<std::uint64_t>(*budget_.trials))
    return {StopCode::kBudget, ""};
  if (budget_.time) {
    if (!state.deadline) state.deadline = visit_deadline(board);
    if (too_late(state, *state.deadline)) return {StopCode::kBudget, ""};
  }
  std::string why = state.watch.enough(*planned_[board].strategy);
  if (why.empty()) return {};
  return {StopCode::kEnough, std::move(why)};
}

// A question whose answer would come too late is not worth asking.
bool TrialSource::too_late(const State& state, Clock::time_point deadline) const {
  const std::chrono::duration<double> latency(state.latency_s.value_or(0));
  return now_() + std::chrono::duration_cast<Clock::duration>(latency) >= deadline;
}

// The remaining time is shared evenly among the remaining boards of the group. Boards that come
// back share the time that these leave.
TrialSource::Clock::time_point TrialSource::visit_deadline(std::size_t board) const {
  const Lane& lane = lanes_[planned_[board].group];
  std::size_t sharers = 0;
  for (std::size_t visit = lane.current; visit < lane.visits.size(); ++visit) {
    const State& state = boards_[lane.visits[visit]];
    if (!state.over && (boards_[board].begun || !state.begun)) ++sharers;
  }
  const auto left = start_ + *budget_.time - now_();
  return now_() + left / static_cast<int>(std::max<std::size_t>(sharers, 1));
}

bool TrialSource::comes_back(std::size_t board) const {
  const State& state = boards_[board];
  return state.stop.code == StopCode::kBudget && state.asked < planned_[board].questions &&
         state.asked > state.asked_before && state.deadline && too_late(state, *state.deadline) &&
         !too_late(state, start_ + *budget_.time);
}

std::optional<std::uint64_t> TrialSource::ask(std::size_t board) {
  State& state = boards_[board];
  if (state.abandoned) return std::nullopt;
  if (state.stop = ends(board); state.stop.code) return std::nullopt;
  if (!std::exchange(state.begun, true)) on_begin_(board);
  const std::optional<std::uint64_t> index = planned_[board].strategy->ask();
  if (index) {
    ++state.asked;
    state.open[*index] = now_();
  } else {
    state.stop = {StopCode::kSpace, ""};
  }
  return index;
}

// A moving average: old latencies count less and less. A median would have to store them.
void TrialSource::note_latency(State& state, std::uint64_t index) {
  constexpr double kNew = 0.2;
  const auto open = state.open.find(index);
  if (open == state.open.end()) return;
  const double took_s = std::chrono::duration<double>(now_() - open->second).count();
  state.open.erase(open);
  state.latency_s = state.latency_s ? (1 - kNew) * *state.latency_s + kNew * took_s : took_s;
}

bool TrialSource::had_enough() const {
  return std::any_of(boards_.begin(), boards_.end(),
                     [](const State& state) { return state.stop.code == StopCode::kEnough; });
}

std::optional<SearchCourse> TrialSource::course(std::size_t board) {
  const State& state = boards_[board];
  const PlannedBoard& planned = planned_[board];
  if (!state.begun || planned.strategy_name == "exhaustive") return std::nullopt;
  SearchCourse course = state.watch.course(*planned.strategy);
  course.fingerprint = planned.summary.device.fingerprint();
  course.problem_text = planned.summary.problem_text;
  if (state.stop.code) {
    course.ended = *state.stop.code == StopCode::kEnough
                       ? state.stop.why_enough
                       : std::string(stop_code_name(*state.stop.code));
  }
  if (!goal_.by_time() && !goal_.has_front()) {
    course.objective = goal_.objectives.front().name;
    course.maximize = goal_.objectives.front().maximize;
  }
  return course;
}

// Returns no costs for a trial that cannot win.
std::vector<double> TrialSource::costs_of(std::size_t board, const TrialRecord& trial) const {
  if (trial.status != Status::kOk) return {};
  if (goal_.plain() && trial.median_us) return {*trial.median_us};
  return judge(goal_, TrialMetrics(trial, &planned_[board].summary.device)).costs;
}

void TrialSource::tell(const Question& question, const TrialRecord& trial) {
  Answer answer{question.index};
  const std::vector<double> costs = costs_of(question.board, trial);
  State& state = boards_[question.board];
  note_latency(state, question.index);
  SearchWatch::Seen seen{!costs.empty(), {}, {}, 0};
  seen.seconds = std::chrono::duration<double>(now_() - start_).count();
  if (!costs.empty() && !goal_.has_front()) seen.cost = costs.front();
  if (seen.cost && goal_.by_time() && limit_us_)
    seen.limit_us = limit_us_(planned_[question.board].summary.device.fingerprint(), trial);
  state.watch.answered(question.asker, seen);
  if (goal_.has_front()) {
    answer.costs = costs;
  } else if (!costs.empty()) {
    answer.cost = costs.front();
  }
  if (trial.status == Status::kPruned) answer.at_least = trial.at_least_us;
  planned_[question.board].strategy->tell(answer);
  correct(question, trial);
}

void TrialSource::correct(const Question& question, const TrialRecord& trial) {
  State& state = boards_[question.board];
  const std::vector<double> costs = costs_of(question.board, trial);
  if (costs.empty()) return;
  if (goal_.has_front()) {
    const auto beats = [&](const auto& other) { return dominates(other, costs); };
    if (std::any_of(state.front.begin(), state.front.end(), beats)) return;
    std::erase_if(state.front,
                  [&](const auto& other) { return other == costs || dominates(costs, other); });
    state.front.push_back(costs);
    state.best = trial.configuration_text;
    return;
  }
  if (state.best_cost && costs.front() >= *state.best_cost) return;
  state.best_cost = costs.front();
  state.best = trial.configuration_text;
}

TrialSource::Note TrialSource::note(std::size_t board) const {
  const State& state = boards_[board];
  if (goal_.has_front() && !state.front.empty())
    return {fmt::format("a front of {}", state.front.size()), state.best};
  if (!state.best_cost) return {"no valid configuration yet", ""};
  const GoalObjective& objective = goal_.objectives.front();
  if (!goal_.by_time()) {
    return {fmt::format("best {:.4g} of {}",
                        objective.maximize ? -*state.best_cost : *state.best_cost, objective.name),
            state.best};
  }
  return {fmt::format("best {:.4g} µs{}", *state.best_cost,
                      planned_[board].summary.device.has_clock ? "" : " modelled"),
          state.best};
}

}  // namespace warpwright
