// Measures how far two sets of results agree: the order of the configurations, the tie sets and the
// winners, board by board. Only orders are compared, and times are only divided by times of the
// same contender, so that two sweeps, two GPUs, or the emulator's model and a GPU may be compared.
//
// Boards are paired when kernel, problem and protocol are equal; if the two share no protocol on a
// problem (a model and a measurement never do), the last board of each is used (protocols ascend).
// Boards without a time are not paired. Pairs are indexed as the contenders are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/compare/contender.h"

namespace warpwright {

enum class TieSets { kEqual, kOverlapping, kDisjoint };
[[nodiscard]] std::string_view tie_sets_name(TieSets sets);  // "equal", ...

// How one contender's winner performs on the other.
struct WinnerElsewhere {
  enum class How { kTimed, kPruned, kNotTimed };  // the last: failed, noisy or never tried
  How how = How::kNotTimed;
  std::optional<double> cost;  // of kTimed: its time there / the time of the winner there
};

struct BoardAgreement {
  std::string kernel, problem_text;
  Stored<Problem> problem;
  std::array<std::string, 2> protocols;
  std::array<TimeKind, 2> kinds{};
  std::array<std::size_t, 2> timed{}, pruned{};
  std::size_t timed_in_both = 0;
  // Kendall's tau-b of the times of the configurations timed in both; nullopt if it has no value
  // (stats/rank_correlation.h).
  std::optional<double> tau;
  // The number of configurations timed or pruned in both; tau ties the pruned ones behind all
  // others.
  std::size_t known_in_both = 0;
  std::optional<double> tau_with_pruned;
  TieSets tie_sets{};  // of the configurations that tie with the best
  std::array<std::size_t, 2> tied{};
  std::size_t tied_in_both = 0;
  std::array<std::string, 2> winners;  // configuration texts
  // [i]: contender i's winner on the other one.
  std::array<WinnerElsewhere, 2> elsewhere;
};

// A board without a counterpart.
struct LonelyBoard {
  std::size_t contender = 0;
  std::string kernel, problem_text, protocol;
};

struct Agreement {
  std::array<Contender, 2> contenders;
  std::vector<BoardAgreement> boards;  // in order of kernel, problem, protocol
  std::vector<LonelyBoard> alone;      // of the first contender, then of the second
};

[[nodiscard]] Agreement agree(Contender first, Contender second);

// Measures how well the emulator's model ranks configurations, compared with measured times.
// Modelled and measured times are never divided by each other: only orders are compared, and
// measured times with measured times. A configuration that was stopped because it is certainly
// slower is ranked by its lower bound. Times are in microseconds.

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
