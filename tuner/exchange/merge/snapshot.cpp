#include "exchange/merge/snapshot.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/terminal_text.h"

namespace warpwright {
namespace {

// A merge follows every reference and stores every column again, so both must follow the schema.
void require_whole(const Database& database, const std::string& name) {
  const std::string found = database.integrity();
  if (found != "ok") {
    throw user_error(
        fmt::format("{} is damaged: {}; `warpwright salvage` saves what is left of a database",
                    name, terminal_line(found.substr(0, found.find('\n')))));
  }
  if (const std::optional<std::string> broken = database.broken_row()) {
    throw user_error(fmt::format("{}: {}; `warpwright salvage` makes a database without such rows",
                                 name, *broken));
  }
}

}  // namespace

Snapshot read_snapshot(const Database& database, const std::string& name) {
  Snapshot snapshot;
  snapshot.name = name.empty() ? database.path().string() : name;
  require_whole(database, snapshot.name);
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
  for (Database::ContractCheckRow& row : database.contract_checks())
    snapshot.contract_checks.push_back(std::move(row.check));
  return snapshot;
}

}  // namespace warpwright
