#include "exchange/snapshot.h"

namespace warpwright {

Snapshot read_snapshot(const Database& database) {
  Snapshot snapshot;
  snapshot.name = database.path().string();
  snapshot.devices = database.devices();
  snapshot.kernels = database.kernels();
  for (auto& [id, kernel] : snapshot.kernels) kernel.sources = database.kernel_sources(id);
  snapshot.runs = database.runs();
  for (Database::TrialRow& row : database.trials({.newest_per_key = false, .with_samples = true}))
    snapshot.trials.push_back(std::move(row.trial));
  for (Database::RankingRow& row : database.rankings({.newest_per_board = false}))
    snapshot.rankings.push_back(std::move(row.ranking));
  for (const auto& [id, device] : snapshot.devices) {
    const std::vector<CeilingRecord> of_device = database.ceilings(id, /*newest_per_name=*/false);
    snapshot.ceilings.insert(snapshot.ceilings.end(), of_device.begin(), of_device.end());
  }
  return snapshot;
}

}  // namespace warpwright
