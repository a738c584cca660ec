// Results of other boards of a kernel, used as sources for Strategy::believe(). A board holds the
// results of one problem on one device, obtained in one way. The most similar boards come first,
// and only a few are used. This code does not depend on where results come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/strategy.h"

namespace warpwright {

// More sources would add little information, and each one costs the strategy time.
inline constexpr std::size_t kMaxSources = 4;

// The number of boards to compare (Strategy::compare): usually all problems of a sweep.
inline constexpr std::size_t kMaxCompared = 16;

// Identifies a board; "" stands for an unknown value.
struct BoardIdentity {
  std::string fingerprint, device_name, arch;  // describe the device
  bool modelled = false;                       // its times come from a model
  Problem problem;
  std::string problem_text;
};

struct KnownBoard {
  BoardIdentity board;
  // Costs are above 0 and comparable only within one board.
  std::vector<std::pair<Configuration, double>> costs;
};

// Estimated costs of configurations that a space contains, in order of index.
struct BoardBeliefs {
  std::size_t known = 0;  // position in the list of the board that these costs come from
  std::vector<std::pair<std::uint64_t, double>> costs;
};

// A measure of how much two problems differ: 0 if they are equal. Sizes contribute the logarithm of
// their ratio; any other difference contributes as much as a size that is 16 times larger.
[[nodiscard]] double problem_distance(const Problem& a, const Problem& b);

// Returns the boards that have costs for configurations of `space`, most similar to `board` first,
// at most kMaxSources. Boards whose times were obtained in the same way come before others, then
// the order is by same device, same device model, same architecture, and nearest problem.
// Configurations that `space` does not contain are left out.
[[nodiscard]] std::vector<BoardBeliefs> beliefs_of(const std::vector<KnownBoard>& known,
                                                   const BoardIdentity& board,
                                                   const SearchSpace& space);

// The same for at most kMaxCompared boards, for Strategy::compare(): only boards whose times were
// obtained in the same way and on a device of the same architecture.
[[nodiscard]] std::vector<BoardAnswers> answers_of(const std::vector<KnownBoard>& known,
                                                   const BoardIdentity& board,
                                                   const SearchSpace& space);

// Passes the costs to the strategy; sources are numbered from `first_source` in the given order.
void tell_beliefs(Strategy& strategy, const std::vector<BoardBeliefs>& beliefs,
                  std::size_t first_source = 0);

// Returns true if strategies of this name use Strategy::believe().
[[nodiscard]] bool listens_to_beliefs(const std::string& strategy);

}  // namespace warpwright
