// Which trial is next: the boards of a group of devices in order, each within the budget, as their
// strategies ask; groups side by side. Where several boards of a group learn from each other, each
// keeps back a part of its trials until all of them have had their first, and is visited again with
// what all of them know then, the last one first. A board whose share of the time was too little is
// visited again when the others have left some. Keeps the best of every board. Budgets are measured
// by the steady clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "records/records.h"
#include "sweep/search_watch.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

class TrialSource {
 public:
  using Clock = std::chrono::steady_clock;

  // `boards` and `goal` must outlive this. Time counts from `start`, by `now`.
  TrialSource(std::vector<PlannedBoard>& boards, const GoalSpec& goal, const Budget& budget,
              Clock::time_point start, std::function<Clock::time_point()> now = Clock::now);

  // Called once for each board, before its strategy is first asked.
  void on_begin(std::function<void(std::size_t board)> begin) { on_begin_ = std::move(begin); }
  // Likewise before the first question of a second visit.
  void on_return(std::function<void(std::size_t board)> come_back) {
    on_return_ = std::move(come_back);
  }
  // Questions of the visit that begins, or goes on, which may follow from what boards have in
  // common.
  [[nodiscard]] std::size_t across(std::size_t board) const;

  // A board is not begun while this holds; it is asked again with each question.
  void hold(std::function<bool(std::size_t board)> holds) { holds_ = std::move(holds); }
  // Some group's next question waits for that alone.
  [[nodiscard]] bool is_held() const;

  // What no implementation of a trial's work can beat, in microseconds; nullopt where that is not
  // known.
  using LimitOf = std::function<std::optional<double>(const std::string& fingerprint,
                                                      const TrialRecord& trial)>;
  void know_limits(LimitOf limit_us) { limit_us_ = std::move(limit_us); }

  // What learns from answers is not asked further while so many questions have none, or a sixth of
  // a budget of trials. Replayed on boards of some 250 with a budget of 26, eight open questions
  // cost 2 % of the score, and four nothing.
  void allow_open(std::size_t most, std::size_t group = 0) { lanes_[group].most_open = most; }

  struct Question {
    std::size_t board = 0;
    std::uint64_t index = 0;  // of the board's space
    std::string asker = {};   // whose idea it was
  };
  // For the group; nullopt when nothing is left to ask, or nothing until more is answered.
  [[nodiscard]] std::optional<Question> next(std::size_t group = 0);
  // Every question is answered once, unless the sweep ends first.
  void tell(const Question& question, const TrialRecord& trial);
  // A later trial of a question that was answered: only the best may change.
  void correct(const Question& question, const TrialRecord& trial);
  // All questions of its first visit are asked, and the second has not begun.
  [[nodiscard]] bool between_visits(std::size_t board) const { return boards_[board].between; }
  // Nothing more will be asked about this board.
  [[nodiscard]] bool exhausted(std::size_t board) const { return boards_[board].over; }
  // No further questions about this board.
  void abandon(std::size_t board) { boards_[board].abandoned = true; }

  [[nodiscard]] std::uint64_t planned() const;
  // The budget ended a board before its space did.
  [[nodiscard]] bool cut_short() const { return cut_short_; }
  // Some board's search ended because nothing worth it was left.
  [[nodiscard]] bool had_enough() const;
  // How the board's search went until now; nullopt where nothing was asked, or all was in order.
  [[nodiscard]] std::optional<SearchCourse> course(std::size_t board);
  // The shortest time that is allowed to win; nullopt, too, where a slower configuration might.
  [[nodiscard]] std::optional<double> best_us(std::size_t board) const {
    return goal_.may_prune() ? boards_[board].best_cost : std::nullopt;
  }
  // "best 372.1 µs" and "block_row THREADS=512"; "best 0.12 of energy", "a front of 5"
  struct Note {
    std::string best, configuration;
  };
  [[nodiscard]] Note note(std::size_t board) const;

 private:
  struct State {
    std::uint64_t asked = 0;
    bool begun = false;
    bool abandoned = false;
    bool over = false;
    std::optional<std::uint64_t> first_visit;  // its questions, where there is a second
    bool between = false;                      // visits
    bool came_back = false;
    std::uint64_t asked_before = 0;   // this visit
    std::optional<double> best_cost;  // by a single objective
    std::string best;
    std::vector<std::vector<double>> front;  // by several
    std::optional<Clock::time_point> deadline;
    std::map<std::uint64_t, Clock::time_point> open;  // questions, since when
    std::optional<double> latency_s;                  // of an answer, lately
    SearchWatch watch;
    std::string ended;  // as SearchCourse::ended
  };
  // The boards of a group.
  struct Lane {
    std::vector<std::size_t> visits;  // boards, those that are visited again more than once
    std::size_t current = 0;          // of `visits`; those before it are over
    std::size_t most_open = std::numeric_limits<std::size_t>::max();
    bool held = false;
  };
  void plan_visits();
  // Its first visit is to end here.
  [[nodiscard]] bool leaves(std::size_t board);
  [[nodiscard]] std::optional<std::uint64_t> ask(std::size_t board);
  // Why nothing more is asked, as SearchCourse::ended; "" to go on.
  [[nodiscard]] std::string ends(std::size_t board);
  // An answer to a question of now would come behind `deadline`.
  [[nodiscard]] bool too_late(const State& state, Clock::time_point deadline) const;
  // The end of a visit that begins now.
  [[nodiscard]] Clock::time_point visit_deadline(std::size_t board) const;
  // Its time ended its visit, and there will be more.
  [[nodiscard]] bool comes_back(std::size_t board) const;
  void note_latency(State& state, std::uint64_t index);
  [[nodiscard]] bool must_wait(std::size_t board) const;

  [[nodiscard]] std::vector<double> costs_of(std::size_t board, const TrialRecord& trial) const;

  std::vector<PlannedBoard>& planned_;
  const GoalSpec& goal_;
  const Budget budget_;
  Clock::time_point start_;
  std::function<Clock::time_point()> now_;
  std::vector<State> boards_;
  std::vector<Lane> lanes_;  // by group
  bool cut_short_ = false;
  std::function<void(std::size_t board)> on_begin_ = [](std::size_t) {};
  std::function<void(std::size_t board)> on_return_ = [](std::size_t) {};
  std::function<bool(std::size_t board)> holds_ = [](std::size_t) { return false; };
  LimitOf limit_us_;
};

}  // namespace warpwright
