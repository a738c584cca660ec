// How well the order in which the emulator's model ranks configurations agrees with measured times.
// Times of the two are never divided by each other: orders are compared, and measured times among
// themselves. A configuration that was stopped because it is certainly slower is ranked by its
// lower bound. Times are in microseconds.
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
  double measured_us = 0;     // at least, where it was stopped
};

// The configurations of a board that a model's order is compared with: all timed or stopped early.
[[nodiscard]] std::vector<MeasuredConfiguration> measured_configurations(const Leaderboard& board);

// `count` of them, each once, in the order drawn; all where there are fewer. Equal seeds and names
// draw equally.
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
  // Kendall's tau-b over all of those, and over those that were timed to the end; nullopt where it
  // has no value.
  std::optional<double> tau, tau_timed;
  // The best measured time among the model's first `picks` / the best measured time.
  std::size_t picks = 0;
  double best_pick = 1;
  // The chance that as many at random include one within `kGoodPick` of the best.
  double chance = 0;
};

inline constexpr std::size_t kModelPicks = 10;
inline constexpr double kGoodPick = 1.1;  // of the best measured time

// `configurations` is not empty.
[[nodiscard]] ModelRanking rank_model(const std::vector<ModelledConfiguration>& configurations);

}  // namespace warpwright
