// Measures how well the emulator's model ranks configurations, compared with measured times.
// Modelled and measured times are never divided by each other: only orders are compared, and
// measured times with measured times. A configuration that was stopped because it is certainly
// slower is ranked by its lower bound. Times are in microseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

struct MeasuredConfiguration {
  std::string configuration;  // "variant=flat THREADS=256", as `profile` takes it
  bool timed = true;          // false: stopped early
  double measured_us = 0;     // a lower bound if it was stopped early
};

// The configurations of a board that a model's order is compared with: all that were timed or
// stopped early.
[[nodiscard]] std::vector<MeasuredConfiguration> measured_configurations(const Leaderboard& board);

// Draws `count` of them without repetition, in the order drawn; all if there are fewer. Equal seeds
// and names give equal draws.
[[nodiscard]] std::vector<MeasuredConfiguration> draw_configurations(
    std::vector<MeasuredConfiguration> from, std::size_t count, std::uint64_t seed,
    const std::string& name);

struct ModelledConfiguration {
  MeasuredConfiguration measured;
  double modelled_us = 0;
};

struct ModelRanking {
  std::string kernel, problem_text, device_name;
  std::size_t of = 0;     // configurations that were measured
  std::size_t drawn = 0;  // and emulated
  // Kendall's tau-b over all drawn ones, and over those that were timed to the end; nullopt if it
  // has no value.
  std::optional<double> tau, tau_timed;
  // The best measured time among the model's first `picks` / the best measured time.
  std::size_t picks = 0;
  double best_pick = 1;
  // The chance that a random choice of `picks` configurations includes one within `kGoodPick` of
  // the best.
  double chance = 0;
};

inline constexpr std::size_t kModelPicks = 10;
inline constexpr double kGoodPick = 1.1;  // of the best measured time

// `configurations` must not be empty.
[[nodiscard]] ModelRanking rank_model(const std::vector<ModelledConfiguration>& configurations);

}  // namespace warpwright
