// The union of several databases. Rows are equal by content, never by number: devices by
// fingerprint, kernels by name and contract hash, everything else by all that its record holds, so
// that a new member of a record needs no change here. Merging twice, or in another order, gives the
// same content.
//
// Newer trials replace older ones of the same key by number, and a sweep's clock may be set back
// while it runs. Within a kernel and device, the order of each database is therefore kept, and
// trials of several databases are ordered by start time.
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
  std::size_t known = 0;  // already there, or contributed by an earlier snapshot
};

struct MergedFile {
  std::string name;
  MergeCount trials, runs, kernels, devices, rankings, ceilings;
};

struct MergeReport {
  std::vector<MergedFile> files;  // as given
  std::size_t renumbered = 0;     // existing trials that got new numbers
};

struct MergeOptions {
  // Called before existing trials get new numbers, because older trials belong before newer ones;
  // throws Error if that must not happen, for example while a sweep writes to the database.
  std::function<void()> before_renumbering = [] {};
};

// Adds everything to `target` in one transaction, which is rolled back as a whole on an exception.
MergeReport merge_snapshots(const std::vector<Snapshot>& snapshots, Database& target,
                            const MergeOptions& options = {});

}  // namespace warpwright
