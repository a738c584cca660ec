// Follows the search of one board: whose ideas the questions were, when the best became better, and
// whether it is worth going on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "records/search_course.h"
#include "search/strategy.h"

namespace warpwright {

// A gain with a chance of less is not expected.
inline constexpr double kWorthwhileChance = 0.1;
// What a run says of the rest where it was not told which gain is worth going on for.
inline constexpr double kUsualGain = 0.01;

class SearchWatch {
 public:
  SearchWatch() = default;
  // `until`: the gain that is worth going on for; nullopt to go on as long as there are questions.
  SearchWatch(std::string strategy, std::uint64_t space, std::optional<double> until);

  void asked(const std::string& asker);
  // What became of a question: `passed` where it may win, `cost` then by a single objective;
  // `limit_us` is what a time could be at best.
  struct Seen {
    bool passed = false;
    std::optional<double> cost, limit_us;
    double seconds = 0;  // since the sweep began
  };
  void answered(const std::string& asker, const Seen& seen);

  // Why no further question is worth it, in words: the best is near the limit, or the strategy
  // thinks little of the rest. "" to go on. Asks the strategy now and then only.
  [[nodiscard]] std::string enough(Strategy& strategy);

  // What was seen, with the strategy's view of the rest. Board, objective and end are the caller's.
  [[nodiscard]] SearchCourse course(Strategy& strategy) const;

 private:
  [[nodiscard]] std::string near_limit() const;

  SearchCourse course_;
  std::optional<double> until_;
  std::uint64_t next_look_ = 0;
};

}  // namespace warpwright
