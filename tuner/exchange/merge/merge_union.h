// The union of snapshots in memory: what is equal is one item, and the items are in the order in
// which a database that saw everything would have them. For merge.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exchange/merge/snapshot.h"

namespace warpwright {

// Where an item stands: by `time`, the latest start of a trial seen until then in its own database,
// so that the order there is kept; then by its turn within that second.
struct MergeTurn {
  std::string time;
  std::size_t turn = 0;
  friend auto operator<=>(const MergeTurn&, const MergeTurn&) = default;
};

// Gives out the turns of one database's rows of one subject.
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

// What a trial or ranking is about; the order of others does not matter to it.
struct MergeSubject {
  std::string kernel, fingerprint;
  friend auto operator<=>(const MergeSubject&, const MergeSubject&) = default;
};

struct MergedTrial {
  TrialRecord record;   // without row numbers and samples
  std::string samples;  // encoded as they are stored, so that equal ones are equal, NaN included
  MergeSubject subject = {};
  std::pair<std::string, std::string> kernel = {};  // name and contract hash
  std::size_t run = 0;                              // index into MergeUnion::runs
  std::optional<std::size_t> same_as = {};          // index into MergeUnion::trials
  MergeTurn turn = {};
  MergeRows rows = {};
};

struct MergedRanking {
  RankingRecord record;  // its trials are indices into MergeUnion::trials; no other row numbers
  MergeSubject subject = {};
  std::size_t run = 0;
  MergeTurn turn = {};
  // By snapshot: its row, and the last trial that it had seen there.
  std::map<std::size_t, std::pair<RowId, RowId>> rows = {};
};

struct MergedKernel {
  KernelRecord record;  // of those that any snapshot has, the most complete one
  MergeTurn turn;
  MergeRows rows;
};

struct MergedRun {
  RunRecord record;  // finished when any snapshot has it finished
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

// Of what differs in rows that are taken for equal (a device's details, the import of one file in
// two databases) the first snapshot's stands when `first_wins`, else the greatest: then the order
// of the snapshots does not matter.
[[nodiscard]] MergeUnion unite(const std::vector<const Snapshot*>& snapshots, bool first_wins);

}  // namespace warpwright
