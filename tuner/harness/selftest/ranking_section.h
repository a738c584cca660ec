// Ranking: whether final rankings keep equal configurations and drop slower ones.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/selftest_bench.h"

namespace warpwright {

// Races of equal contestants, of which the last one may be slower.
struct RaceRuns {
  int slower_permille = 0;
  std::string protocol;
  double about_us = 0;
  std::vector<std::vector<std::vector<double>>> race_us;  // [race][round][contestant]
};
void to_json(nlohmann::json& json, const RaceRuns& runs);
void from_json(const nlohmann::json& json, RaceRuns& runs);

// Runs races of eight contestants and 30 rounds. Throws Error (environment) when the device is not
// steady.
[[nodiscard]] RaceRuns run_races(const Bench& bench, int races, int slower_permille);

// The share of exclusions among all contestants of all races that are equal, and the share of races
// that exclude the slower one.
[[nodiscard]] Figure equal_figure(const RaceRuns& runs);
[[nodiscard]] Figure slower_figure(const RaceRuns& runs);
[[nodiscard]] SectionResult run_ranking(const Workers& workers, int races);

}  // namespace warpwright
