// How likely it is that something better is left. What a model expects to find is not taken at its
// word: it is unsure where it has not looked, and its guesses err together. The chance is what
// became of such moments in replays of recorded spaces: it falls with questions asked, with those
// since the last that was better, and where the neighbours of the best promise less. Internal to
// search.
#pragma once

#include <cstdint>
#include <vector>

namespace warpwright {

struct Remainder {
  struct One {
    double stands_for = 1;  // so many that were not asked
    bool near = false;      // a neighbour of one of the best
    double mean = 0, spread = 0;
    double failing = 0;
  };
  std::vector<One> sample;
  double best = 0;  // response of what was answered
  std::uint64_t answers = 0;
  std::uint64_t since_better = 0;  // answers
  std::uint64_t count = 0;         // of the space
};

// The chance that something there has a response of less than the best by `gain`.
[[nodiscard]] double chance_of(const Remainder& rest, double gain);
// The response that the best there is as likely to be above as below.
[[nodiscard]] double likely_least(const Remainder& rest);

}  // namespace warpwright
