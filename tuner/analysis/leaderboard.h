// Ranks the trials of each (kernel, problem, device, protocol): best first, ties marked, failures
// grouped by cause. Measured and modelled times never meet in one board: a board belongs to one
// device, and a device has a clock or not. Nor do times of two protocols, cold and hot say. The
// views of store/schema_views.cpp rank by the same rules.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/failure_cause.h"
#include "store/database.h"

namespace warpwright {

struct LeaderboardEntry {
  int rank = 0;                 // 1 is best; tied entries keep their own rank
  bool tied_with_best = false;  // its interval overlaps the best's; always true for rank 1
  double speed_vs_best = 0;     // best / this: 1 is the best, 0.5 takes twice as long
  double speedup_over_slowest_variant_best = 0;  // best of the slowest variant / this
  Database::TrialRow row;
  std::optional<double> gigabytes_per_second;  // contract bytes / median
  std::optional<double> gigaflops_per_second;
};

// Shares its `status` and `cause`.
struct FailureGroup {
  Status status{};
  std::string cause;    // failure_cause() of the reason, so that equal causes meet
  std::string example;  // one full reason
  std::string example_configuration;
  std::size_t count = 0;
};

struct Leaderboard {
  std::string kernel;
  std::string problem_text;
  std::string problem_json;
  std::string device_id, device_name, device_driver, device_fingerprint;
  bool modelled = false;
  std::string protocol;                   // of the times; empty when nothing was timed
  std::string contract_hash;              // of the best entry; each entry's own is in its row
  std::vector<LeaderboardEntry> entries;  // status ok, by median, then canonical configuration text
  std::vector<FailureGroup> failures;     // largest first
  std::size_t trials = 0;                 // configurations that count: entries and failures
  std::size_t stale = 0;     // trials of a variant's older sources, where newer ones were tried
  std::size_t outdated = 0;  // entries whose variant has newer sources on another board
};

// Boards in order of kernel, problem, device, protocol. Within a board
// - the sources of a variant that were swept last count, and trials of its older ones are stale;
// - of several trials of one configuration (other seeds) the newest counts, but a configuration
//   that was ever found wrong, nondeterministic or hazardous stays a failure: one seed's proof of a
//   fault is not undone by another's luck;
// - a measured time ties with the best when their intervals overlap, a modelled one when it is
// equal;
// - trials that failed before a protocol applied belong to the board of the protocol used last.
[[nodiscard]] std::vector<Leaderboard> make_leaderboards(
    const std::vector<Database::TrialRow>& rows);

}  // namespace warpwright
