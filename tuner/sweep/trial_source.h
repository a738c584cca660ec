// TrialSource chooses the next trial. It visits the boards of a group in order, each within its
// budget, and asks their strategies; groups proceed side by side. If several boards of a group
// learn from each other, each keeps back a part of its trials until all of them have had their
// first visit. It is then visited again, in reverse order, with the results of all boards. A board
// whose share of the time was too short is visited again if the others leave some. TrialSource also
// keeps the best of every board, and a SearchWatch for each. Budgets are measured by the steady
// clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "records/goal_record.h"
#include "records/records.h"
#include "search/strategy.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

// A gain with a lower chance than this is not expected.
inline constexpr double kWorthwhileChance = 0.1;
// The gain for which the chance of an improvement is computed when the user gave no `until`.
inline constexpr double kUsualGain = 0.01;

// Follows the search of one board: which strategy proposed each question, when the best result
// improved, and whether it is worth going on.
class SearchWatch {
 public:
  SearchWatch() = default;
  // `until` is the smallest gain that is worth going on for; nullopt to go on as long as there are
  // questions.
  SearchWatch(std::string strategy, std::uint64_t space, std::optional<double> until);

  void asked(const std::string& asker);
  // The answer to a question: `passed` if the configuration may win, then with its `cost` for a
  // single objective; `limit_us` is the shortest possible time.
  struct Seen {
    bool passed = false;
    std::optional<double> cost, limit_us;
    double seconds = 0;  // since the sweep began
  };
  void answered(const std::string& asker, const Seen& seen);

  // Returns why no further question is worth asking, in words: the best is near the limit, or the
  // strategy expects little of the rest; "" to go on. Queries the strategy only now and then.
  [[nodiscard]] std::string enough(Strategy& strategy);

  // Returns the course of the search so far, with the strategy's estimate of the rest. The caller
  // sets board, objective and end.
  [[nodiscard]] SearchCourse course(Strategy& strategy) const;

 private:
  [[nodiscard]] std::string near_limit() const;

  SearchCourse course_;
  std::optional<double> until_;
  std::uint64_t next_look_ = 0;
};

class TrialSource {
 public:
  using Clock = std::chrono::steady_clock;

  // `boards` and `goal` must outlive this. Time counts from `start`, by `now`.
  TrialSource(std::vector<PlannedBoard>& boards, const GoalSpec& goal, const Budget& budget,
              Clock::time_point start, std::function<Clock::time_point()> now = Clock::now);

  // Called once for each board, before its strategy is first asked.
  void on_begin(std::function<void(std::size_t board)> begin) { on_begin_ = std::move(begin); }
  // Called before the first question of a second visit.
  void on_return(std::function<void(std::size_t board)> come_back) {
    on_return_ = std::move(come_back);
  }
  // Returns the number of questions, in the visit that begins or is in progress, that may be
  // derived from what boards have in common.
  [[nodiscard]] std::size_t across(std::size_t board) const;

  // A board is not begun while this returns true; it is called again for each question.
  void hold(std::function<bool(std::size_t board)> holds) { holds_ = std::move(holds); }
  // Returns whether the next question of some group waits only for that.
  [[nodiscard]] bool is_held() const;

  // Returns the shortest time, in microseconds, that any implementation of a trial's work could
  // take; nullopt if it is unknown.
  using LimitOf = std::function<std::optional<double>(const std::string& fingerprint,
                                                      const TrialRecord& trial)>;
  void know_limits(LimitOf limit_us) { limit_us_ = std::move(limit_us); }

  // A strategy that learns from answers gets no further question while this number of questions, or
  // a sixth of a budget of trials, is unanswered. In replays on boards of some 250 configurations
  // with a budget of 26, eight open questions cost 2 % of the score, and four cost nothing.
  void allow_open(std::size_t most, std::size_t group = 0) { lanes_[group].most_open = most; }

  struct Question {
    std::size_t board = 0;
    std::uint64_t index = 0;  // of the board's space
    std::string asker = {};   // the strategy that proposed it
  };
  // Returns the next question for the group; nullopt when nothing is left to ask, or nothing until
  // more is answered.
  [[nodiscard]] std::optional<Question> next(std::size_t group = 0);
  // Reports the answer to a question. Every question is answered once, unless the sweep ends first.
  void tell(const Question& question, const TrialRecord& trial);
  // Reports a later trial of an answered question; only the best may change.
  void correct(const Question& question, const TrialRecord& trial);
  // Returns whether all questions of the board's first visit are asked and its second visit has not
  // begun.
  [[nodiscard]] bool between_visits(std::size_t board) const { return boards_[board].between; }
  // Returns whether no further question will be asked about this board.
  [[nodiscard]] bool exhausted(std::size_t board) const { return boards_[board].over; }
  // Stops asking questions about this board.
  void abandon(std::size_t board) { boards_[board].abandoned = true; }

  [[nodiscard]] std::uint64_t planned() const;
  // Returns whether the budget ended a board before its space did.
  [[nodiscard]] bool cut_short() const { return cut_short_; }
  // Returns whether some board's search ended because nothing worth asking was left.
  [[nodiscard]] bool had_enough() const;
  // Returns the course of the board's search so far; nullopt if nothing was asked, or if the board
  // is searched exhaustively.
  [[nodiscard]] std::optional<SearchCourse> course(std::size_t board);
  // Returns the shortest time that is allowed to win; nullopt also if a slower configuration might
  // win.
  [[nodiscard]] std::optional<double> best_us(std::size_t board) const {
    return goal_.may_prune() ? boards_[board].best_cost : std::nullopt;
  }
  // Holds, for example, "best 372.1 µs" and "block_row THREADS=512"; "best 0.12 of energy", "a
  // front of 5".
  struct Note {
    std::string best, configuration;
  };
  [[nodiscard]] Note note(std::size_t board) const;

 private:
  // Why a board asks nothing more; no code while it goes on.
  struct Stop {
    std::optional<StopCode> code;
    std::string why_enough;  // with kEnough
  };
  struct State {
    std::uint64_t asked = 0;
    bool begun = false;
    bool abandoned = false;
    bool over = false;
    std::optional<std::uint64_t> first_visit;  // its questions, if there is a second visit
    bool between = false;                      // is between visits
    bool came_back = false;
    std::uint64_t asked_before = 0;   // before this visit
    std::optional<double> best_cost;  // by a single objective
    std::string best;
    std::vector<std::vector<double>> front;  // by several
    std::optional<Clock::time_point> deadline;
    std::map<std::uint64_t, Clock::time_point> open;  // questions, since when
    std::optional<double> latency_s;                  // of recent answers
    SearchWatch watch;
    Stop stop;
  };
  // The boards of a group.
  struct Lane {
    std::vector<std::size_t> visits;  // boards; one that is visited again occurs more than once
    std::size_t current = 0;          // of `visits`; those before it are over
    std::size_t most_open = std::numeric_limits<std::size_t>::max();
    bool held = false;
  };
  void plan_visits();
  // Returns whether the board's first visit is to end here.
  [[nodiscard]] bool leaves(std::size_t board);
  [[nodiscard]] std::optional<std::uint64_t> ask(std::size_t board);
  // Returns why nothing more is asked.
  [[nodiscard]] Stop ends(std::size_t board);
  // Returns whether the answer to a question asked now would come after `deadline`.
  [[nodiscard]] bool too_late(const State& state, Clock::time_point deadline) const;
  // Returns the end of a visit that begins now.
  [[nodiscard]] Clock::time_point visit_deadline(std::size_t board) const;
  // Returns whether the board's visit ended for lack of time, and more time will be available.
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
