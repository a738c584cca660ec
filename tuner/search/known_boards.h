// What other boards of a kernel know, as sources for Strategy::believe(): a board is the results of
// one problem on one device, taken in one way. Those that are most alike come first, and only a few
// are asked. Nothing here knows where results come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/strategy.h"

namespace warpwright {

// More would say little new, and each costs a strategy time.
inline constexpr std::size_t kMostSources = 4;

// So many are compared (Strategy::compare): all problems of a sweep, mostly.
inline constexpr std::size_t kMostCompared = 16;

// Which board it is; "" for what is not known.
struct BoardIdentity {
  std::string fingerprint, device_name, arch;  // of the device
  bool modelled = false;                       // its times come from a model
  Problem problem;
  std::string problem_text;
};

struct KnownBoard {
  BoardIdentity board;
  // Above 0; costs of one board are comparable with each other.
  std::vector<std::pair<Configuration, double>> costs;
};

// Costs of configurations that a space holds, in order of index.
struct BoardBeliefs {
  std::size_t known = 0;  // the board that says so, by its place in the list
  std::vector<std::pair<std::uint64_t, double>> costs;
};

// How much two problems differ: 0 when they are equal; sizes count by the logarithm of their ratio,
// anything else that differs as much as a size that is 16 times another.
[[nodiscard]] double problem_distance(const Problem& a, const Problem& b);

// The boards that say something of the space of `board`, the most alike first, at most
// kMostSources: times taken in the same way before others, then the same device, the same kind of
// device and the same architecture, then the nearest problem. What `space` does not hold is left
// out.
[[nodiscard]] std::vector<BoardBeliefs> beliefs_of(const std::vector<KnownBoard>& known,
                                                   const BoardIdentity& board,
                                                   const SearchSpace& space);

// The same of at most kMostCompared, for Strategy::compare(): only times that were taken in the
// same way, on a device of the same architecture.
[[nodiscard]] std::vector<BoardAnswers> answers_of(const std::vector<KnownBoard>& known,
                                                   const BoardIdentity& board,
                                                   const SearchSpace& space);

// Tells the strategy; sources are numbered from `first_source` in the order given.
void tell_beliefs(Strategy& strategy, const std::vector<BoardBeliefs>& beliefs,
                  std::size_t first_source = 0);

// Whether strategies of this name make use of what they are told.
[[nodiscard]] bool listens_to_beliefs(const std::string& strategy);

}  // namespace warpwright
