// The course of the search of one board in one run, as stored with the run: the origins of its
// proposals, the times at which the best improved, and the strategy's estimate of the rest.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

struct SearchCourse {
  std::string fingerprint, problem_text;  // the board
  std::string strategy;
  std::string objective;  // the expression of the costs; "" for a time in microseconds
  bool maximize = false;  // the costs are its negative
  std::uint64_t space = 0;
  std::uint64_t answered = 0;
  std::uint64_t failed = 0;                    // of those answered
  std::map<std::string, std::uint64_t> asked;  // by origin of the proposal
  // The best so far after a number of answers and seconds of the sweep, and the origin of its
  // proposal.
  struct Step {
    std::uint64_t answers = 0;
    double seconds = 0;
    double cost = 0;
    std::string asker;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // by a single objective
  double seconds = 0;       // until the last answer
  // "space" (nothing is left), "budget", or a text that explains why it was enough; "" when it was
  // stopped.
  std::string ended;
  // The strategy's estimate of the configurations that were not tried: the chance that one is
  // better by `gain`, and the likely cost of the best of them. Only strategies that learn have one.
  struct Rest {
    double gain = 0, chance = 0, likely_best = 0;
    friend bool operator==(const Rest&, const Rest&) = default;
  };
  std::optional<Rest> rest;
  std::optional<double> limit_us;  // a lower bound of the time, if ceilings are known

  friend bool operator==(const SearchCourse&, const SearchCourse&) = default;
};
// {"fingerprint","problem","strategy","objective","maximize","space","answered","failed",
//  "asked":{"forest":40},"steps":[{"answers","seconds","cost","asker"}],"seconds","ended"}, and
// where they are known "rest":{"gain","chance","likely_best"} and "limit_us"
void to_json(nlohmann::json& json, const SearchCourse& course);
void from_json(const nlohmann::json& json, SearchCourse& course);

}  // namespace warpwright
