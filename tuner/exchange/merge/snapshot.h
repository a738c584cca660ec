// Everything that a database, or a file of results, contributes to a merge, as plain records.
#pragma once

#include <string>
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

}  // namespace warpwright
