#include "replay/replay_run.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "core/error.h"
#include "stats/random_search.h"

namespace warpwright {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Adds the lifetime of this object to a sum.
class QuestionTime {
 public:
  explicit QuestionTime(double& sum) : sum_(sum), begin_(SteadyClock::now()) {}
  ~QuestionTime() { sum_ += std::chrono::duration<double>(SteadyClock::now() - begin_).count(); }
  QuestionTime(const QuestionTime&) = delete;
  QuestionTime& operator=(const QuestionTime&) = delete;

 private:
  double& sum_;
  SteadyClock::time_point begin_;
};

class Runner {
 public:
  Runner(Strategy& strategy, const Recording& recording, const RunLimits& limits)
      : strategy_(strategy), recording_(recording), limits_(limits), seen_(recording.count()) {}

  ReplayRun run() {
    while (!stopped()) {
      while (waiting_.size() < limits_.in_flight && ask()) {
      }
      if (waiting_.empty()) break;
      answer();
    }
    return std::move(run_);
  }

 private:
  struct Question {
    std::uint64_t index = 0;
    bool first = false;  // first time that this index is asked
    double seconds = 0;
  };

  [[nodiscard]] bool stopped() const {
    return limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed);
  }

  // Returns false if there is nothing to ask now. A strategy that waits for answers is asked again.
  bool ask() {
    if (spent_ == limits_.budget || repeats_ == kMostRepeats) return false;
    Question question;
    std::optional<std::uint64_t> index;
    {
      const QuestionTime time(question.seconds);
      index = strategy_.ask();
    }
    if (!index) return false;
    WARPWRIGHT_CHECK(*index < recording_.count(), "a strategy asked for what is not in the space");
    question.index = *index;
    question.first = !seen_[*index];
    seen_[*index] = true;
    spent_ += question.first;
    repeats_ = question.first ? 0 : repeats_ + 1;
    waiting_.push_back(question);
    return true;
  }

  void answer() {
    Question question = waiting_.front();
    waiting_.pop_front();
    Answer answer;
    answer.index = question.index;
    if (const double us = recording_.us[question.index]; us > 0) answer.cost = us;
    if (const double us = recording_.at_least_us[question.index]; us > 0) answer.at_least = us;
    {
      const QuestionTime time(question.seconds);
      strategy_.tell(answer);
    }
    run_.question_seconds.push_back(static_cast<float>(question.seconds));
    if (question.first) run_.evaluated.push_back(static_cast<std::uint32_t>(question.index));
  }

  Strategy& strategy_;
  const Recording& recording_;
  const RunLimits& limits_;
  std::vector<bool> seen_;
  std::deque<Question> waiting_;
  std::uint64_t spent_ = 0, repeats_ = 0;
  ReplayRun run_;
};

}  // namespace

ReplayRun run_strategy(Strategy& strategy, const Recording& recording, const RunLimits& limits) {
  return Runner(strategy, recording, limits).run();
}

RunScore score_run(const ReplayRun& run, const Recording& recording, std::uint64_t budget) {
  RunScore result;
  double best_us = 0;
  for (std::size_t i = 0; i < run.evaluated.size(); ++i) {
    const double us = recording.us[run.evaluated[i]];
    if (us > 0 && (best_us == 0 || us < best_us)) {
      best_us = us;
      result.score = recording.best_us / us;
      const double slowdown = us / recording.best_us;
      if (!result.within_1 && within_of_best(slowdown, 0.01)) result.within_1 = i + 1;
      if (!result.within_5 && within_of_best(slowdown, 0.05)) result.within_5 = i + 1;
    }
    result.area += result.score;
  }
  result.area += result.score * static_cast<double>(budget - run.evaluated.size());
  result.area /= static_cast<double>(budget);
  return result;
}

std::vector<double> score_curve(const ReplayRun& run, const Recording& recording,
                                std::uint64_t budget) {
  std::vector<double> curve(budget, 0);
  double score = 0;
  for (std::uint64_t i = 0; i < budget; ++i) {
    const double us = i < run.evaluated.size() ? recording.us[run.evaluated[i]] : 0;
    if (us > 0) score = std::max(score, recording.best_us / us);
    curve[i] = score;
  }
  return curve;
}

}  // namespace warpwright
