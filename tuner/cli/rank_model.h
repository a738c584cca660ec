// Implements `warpwright profile KERNEL --against DATABASE`: emulates measured configurations again
// on a sample of their blocks, and compares the two orders.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/compare/model_ranking.h"
#include "cli/profile_runs.h"

namespace warpwright {

struct ModelRankingOptions {
  std::string database;
  std::string kernel;      // or "all": every kernel of the database that can still be read
  std::size_t drawn = 40;  // configurations drawn per problem
  std::uint64_t seed = 1;  // for the draw and for inputs
  ProfileOptions profile;
};

struct ModelRankings {
  std::vector<ModelRanking> rankings;  // in order of kernel, problem and device
  // {"device","sample","seed","sample_blocks","problems":[{"kernel","problem","measured_on","of",
  //   "tau_b","tau_b_timed","picks","best_pick","chance","configurations":[{"configuration",
  //   "timed","measured_us","modelled_us","launches":[{"entry","grid","block","dynamic_shared",
  //   ..., "counters"}...]}...]}...]}: enough to model the times anew when the model changes.
  nlohmann::json table;
};

// Prints one line per problem to stderr, also for problems that cannot be emulated. Throws Error
// (user) if none can.
[[nodiscard]] ModelRankings rank_model(const ModelRankingOptions& options, ProfileRuns& runs,
                                       const std::string& command_line);

}  // namespace warpwright
