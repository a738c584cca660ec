// `warpwright replay`: runs strategies against complete recordings, without a device. Every run (of
// a recording, a strategy, a budget and a seed) is independent; runs execute in parallel, and their
// results do not depend on the number of threads. The time that strategies take for a question is
// measured here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "replay/replay_run.h"

namespace warpwright {

struct ReplayStrategy {
  std::string name;
  std::map<std::string, Value> values = {};  // its options
};

struct ReplayPlan {
  std::vector<ReplayStrategy> strategies;
  std::vector<std::uint64_t> budgets;
  std::uint64_t repeats = 50;  // seeds `seed`, `seed` + 1, ...
  std::uint64_t seed = 1;
  std::uint64_t in_flight = 1;
  std::size_t threads = 0;  // 0: as many as the machine has
};

// Callbacks while runs go on, made from the thread that called replay().
struct ReplayWatch {
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  std::function<bool()> stopped = {};
};

// The results of all runs, in the order recording, strategy, budget, seed.
class ReplayResults {
 public:
  ReplayResults(std::size_t recordings, const ReplayPlan& plan);

  [[nodiscard]] std::vector<ReplayRun>& all() { return runs_; }
  // The runs of every seed.
  [[nodiscard]] std::span<const ReplayRun> runs(std::size_t recording, std::size_t strategy,
                                                std::size_t budget) const;
  bool interrupted = false;  // missing results are empty then

 private:
  std::size_t strategies_, budgets_, repeats_;
  std::vector<ReplayRun> runs_;
};

// Throws Error (user) before the first run for an unknown strategy or an option that it does not
// take.
[[nodiscard]] ReplayResults replay(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                                   const ReplayWatch& watch = {});

}  // namespace warpwright
