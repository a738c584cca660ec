// Follows the search of one board: which strategy proposed each question, when the best result
// improved, and whether it is worth going on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "records/search_course.h"
#include "search/strategy.h"

namespace warpwright {

// A gain with a lower chance than this is not expected.
inline constexpr double kWorthwhileChance = 0.1;
// The gain for which the chance of an improvement is computed when the user gave no `until`.
inline constexpr double kUsualGain = 0.01;

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

}  // namespace warpwright
