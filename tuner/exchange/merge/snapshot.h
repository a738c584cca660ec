// Everything that a database, or a file of results, contributes to a merge, as plain records.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "store/database.h"

namespace warpwright {

struct Snapshot {
  std::string name;  // of the file, for messages
  // Paired with their row numbers in the file, which the other records refer to.
  std::vector<std::pair<RowId, DeviceRecord>> devices;
  std::vector<std::pair<RowId, KernelRecord>> kernels;  // with their sources; the current one last
  std::vector<std::pair<RowId, RunRecord>> runs;
  std::vector<TrialRecord> trials;      // with samples, in the order stored
  std::vector<RankingRecord> rankings;  // in the order stored
  std::vector<CeilingRecord> ceilings;  // in the order stored
  std::vector<ContractCheckRecord> contract_checks = {};
};

// `name` is the file's name in messages; "" means its path. Throws Error (user) if the database is
// damaged or was edited badly by hand: a column that breaks its rule, a reference to a missing row.
[[nodiscard]] Snapshot read_snapshot(const Database& database, const std::string& name = "");

// The union of snapshots in memory, for merge.cpp: equal items are merged into one, and the items
// are in the order that a database would have if it had stored all of them.

// The position of an item: first by `time`, the latest start of a trial seen so far in its own
// database, so that the order there is kept; then by its turn within that second.
struct MergeTurn {
  std::string time;
  std::size_t turn = 0;
  friend auto operator<=>(const MergeTurn&, const MergeTurn&) = default;
};

// Assigns the turns of one database's rows of one subject.
class MergeClock {
 public:
  MergeTurn next(const std::string& started_utc) {
    if (started_utc > now_.time) {
      now_ = {started_utc, 0};
    } else {
      ++now_.turn;
    }
    return now_;
  }

 private:
  MergeTurn now_;
};

// The row that an item has in each snapshot that holds it.
using MergeRows = std::map<std::size_t, RowId>;

// The subject of a trial or ranking: kernel and device. The order of rows matters only within one
// subject.
struct MergeSubject {
  std::string kernel, fingerprint;
  friend auto operator<=>(const MergeSubject&, const MergeSubject&) = default;
};

struct MergedTrial {
  TrialRecord record;   // without row numbers and samples
  std::string samples;  // encoded as stored, so that equal samples compare equal, NaN included
  MergeSubject subject = {};
  std::pair<std::string, std::string> kernel = {};  // name and contract hash
  std::size_t run = 0;                              // index into MergeUnion::runs
  std::optional<std::size_t> same_as = {};          // index into MergeUnion::trials
  MergeTurn turn = {};
  MergeRows rows = {};
};

struct MergedRanking {
  RankingRecord record;  // trials are indices into MergeUnion::trials; no other row numbers
  MergeSubject subject = {};
  std::size_t run = 0;
  MergeTurn turn = {};
  // By snapshot: the ranking's row, and the last trial that it had seen there.
  std::map<std::size_t, std::pair<RowId, RowId>> rows = {};
};

struct MergedKernel {
  KernelRecord record;  // the most complete one of all snapshots
  MergeTurn turn;
  MergeRows rows;
};

struct MergedRun {
  RunRecord record;  // finished if any snapshot has it finished
  bool used = false;
  MergeRows rows;
};

struct MergedDevice {
  DeviceRecord record;
  MergeRows rows;
};

struct MergedCeiling {
  CeilingRecord record;  // without a device's number
  std::string fingerprint;
  MergeTurn turn = {};
  std::set<std::size_t> snapshots = {};
};

// Identifies a contract check: the index of its run in MergeUnion::runs, its kernel's name and
// contract hash, and the text and the sizes of its problem.
using MergedCheckKey =
    std::tuple<std::size_t, std::pair<std::string, std::string>, std::string, std::string>;

struct MergeUnion {
  std::map<std::string, MergedDevice> devices;  // by fingerprint
  std::vector<MergedRun> runs;                  // by start
  std::vector<MergedKernel> kernels;            // the current one of each name last
  std::vector<MergedTrial> trials;              // the newest of a subject last
  std::vector<MergedRanking> rankings;          // the newest of a subject last
  std::vector<MergedCeiling> ceilings;          // the newest of a device and name last
  std::map<MergedCheckKey, ContractCheckRecord> contract_checks;  // without row numbers
};

// Rows that are considered equal may still differ (a device's details, the import of one file in
// two databases). If `first_wins`, the first snapshot's version is kept, else the greatest, so that
// the order of the snapshots does not matter.
[[nodiscard]] MergeUnion unite(const std::vector<const Snapshot*>& snapshots, bool first_wins);

}  // namespace warpwright
