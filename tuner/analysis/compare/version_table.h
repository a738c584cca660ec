// The named versions of a sweep side by side: the time of each on every problem, which of them tie
// with the best version, and how far they are from the best known time for the problem in any
// sweep. Times are in microseconds; a table is for one device and one protocol.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/version_names.h"

namespace warpwright {

struct VersionTime {
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  bool tied_with_best = false;  // according to the sweep's own ranking
  std::string configuration_text = "";
  std::optional<double> gigaflops_per_second = std::nullopt;
  std::optional<LimitShare> limit_share = std::nullopt;  // of boards with limits
};

struct VersionCell {
  std::optional<VersionTime> time;
  // Set if there is no time: "pruned", "noisy" or how it failed; empty if it was not tried.
  std::string status = "";
};

struct VersionRow {
  std::string name;
  std::vector<VersionCell> cells;  // one per problem
};

struct VersionTable {
  std::string sweep;  // its file, as stored
  std::string kernel, device_name, device_id, protocol;
  bool modelled = false;
  std::vector<std::string> problem_texts;    // by their sizes, ascending
  std::vector<Stored<Problem>> problems;     // parallel to problem_texts
  std::vector<VersionRow> versions;          // in the sweep's order
  std::vector<std::string> variants;         // variants of the versions
  VersionRow best_of_variants, best_of_all;  // of all known results
  std::vector<std::optional<double>> gain;   // best version / best of all; 1 means no gain
  // The names of the versions that have a time on each problem, the fastest first.
  std::vector<std::vector<std::string>> order = {};
  std::vector<VersionRow> peers = {};  // times of other implementations, in the order given
};

// Makes one table per device and protocol on which any of the versions has a time. `own` are the
// boards of the sweep's run, whose ties count; `all` are the boards of the whole database. A
// version that the run did not try, because it was known already, is taken from `all`, without
// ties.
[[nodiscard]] std::vector<VersionTable> make_version_tables(
    const std::string& sweep, const std::vector<NamedVersion>& versions,
    const std::vector<Leaderboard>& own, const std::vector<Leaderboard>& all);

}  // namespace warpwright
