// The union of several databases. Rows are equal by content, never by number: devices by
// fingerprint, kernels by name and contract hash, everything else by all that its record holds, so
// that a new member of a record needs no change here. Merging twice, or in another order, gives the
// same content.
//
// Newer trials replace older ones of the same key by their numbers, and a sweep's clock may be set
// back while it runs. So within a kernel and device the order of each database is kept, and trials
// of several databases follow by the time at which they started.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "exchange/merge/snapshot.h"
#include "store/database.h"

namespace warpwright {

struct MergeCount {
  std::size_t added = 0;
  std::size_t known = 0;  // there already, or contributed by a snapshot before this one
};

struct MergedFile {
  std::string name;
  MergeCount trials, runs, kernels, devices, rankings, ceilings;
};

struct MergeReport {
  std::vector<MergedFile> files;  // as given
  std::size_t renumbered = 0;     // trials that were there and got new numbers
};

struct MergeOptions {
  // Asked before trials that were there get new numbers, because older ones belong before newer
  // ones; throws Error when that must not happen, for example while a sweep writes to the database.
  std::function<void()> before_renumbering = [] {};
};

// Adds everything to `target`, in one transaction: undone as a whole when it throws.
MergeReport merge_snapshots(const std::vector<Snapshot>& snapshots, Database& target,
                            const MergeOptions& options = {});

}  // namespace warpwright
