// How the search of one board went in one run, as it is kept with the run: whose ideas its
// questions were, when the best became better, and what the strategy made of the rest.
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
  std::string objective;  // what the costs are; "" for a time in microseconds
  bool maximize = false;  // the costs are its negative
  std::uint64_t space = 0;
  std::uint64_t answered = 0;
  std::uint64_t failed = 0;                    // of those
  std::map<std::string, std::uint64_t> asked;  // by whose idea it was
  // The best so far after so many answers and seconds of the sweep, and whose idea it was.
  struct Step {
    std::uint64_t answers = 0;
    double seconds = 0;
    double cost = 0;
    std::string asker;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // by a single objective
  double seconds = 0;       // until the last answer
  // "space" (nothing is left), "budget", or why it was enough, in words; "" when it was stopped.
  std::string ended;
  // What the strategy makes of what was not asked: the chance that something is better by `gain`,
  // and the cost that the best of it is likely to have. Of strategies that learn.
  struct Rest {
    double gain = 0, chance = 0, likely_best = 0;
    friend bool operator==(const Rest&, const Rest&) = default;
  };
  std::optional<Rest> rest;
  std::optional<double> limit_us;  // what the best time could be at most, where ceilings are known

  friend bool operator==(const SearchCourse&, const SearchCourse&) = default;
};
// {"fingerprint","problem","strategy","objective","maximize","space","answered","failed",
//  "asked":{"forest":40},"steps":[{"answers","seconds","cost","asker"}],"seconds","ended"}, and
// where they are known "rest":{"gain","chance","likely_best"} and "limit_us"
void to_json(nlohmann::json& json, const SearchCourse& course);
void from_json(const nlohmann::json& json, SearchCourse& course);

}  // namespace warpwright
