// Measures how far two sets of results agree: the order of the configurations, the tie sets and the
// winners, board by board. Only orders are compared, and times are only divided by times of the
// same contender, so that two sweeps, two GPUs, or the emulator's model and a GPU may be compared.
//
// Boards are paired when kernel, problem and protocol are equal; if the two share no protocol on a
// problem (a model and a measurement never do), the last board of each is used (protocols ascend).
// Boards without a time are not paired. Pairs are indexed as the contenders are.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace warpwright
