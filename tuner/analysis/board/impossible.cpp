#include "analysis/board/impossible.h"

#include <utility>

#include "metrics/peaks.h"

namespace warpwright {

PeaksByDevice read_peaks(const Database& database) {
  return find_peaks(database.devices(), [&](RowId device) { return database.ceilings(device); });
}

Peaks read_peaks(const std::optional<Database>& database, const DeviceInfo& device) {
  if (database) {
    const std::string fingerprint = device.fingerprint();
    for (const auto& [id, record] : database->devices())
      if (record.fingerprint == fingerprint) return find_peaks(device, database->ceilings(id));
  }
  return find_peaks(device, {});
}

std::optional<FailureReason> beyond_peaks(const Database::TrialRow& row, double us,
                                          const PeaksByDevice& peaks) {
  const auto found = peaks.find(row.device_fingerprint);
  if (found == peaks.end() || is_harness_kernel(row.kernel_name)) return std::nullopt;
  return beyond_peaks(row.trial, us, found->second);
}

std::optional<FailureReason> impossible_time(const Database::TrialRow& row,
                                             const PeaksByDevice& peaks) {
  if (row.trial.status != Status::kOk || !row.trial.median_us) return std::nullopt;
  return beyond_peaks(row, *row.trial.median_us, peaks);
}

void mark_impossible(std::vector<Database::TrialRow>& rows, const PeaksByDevice& peaks) {
  for (Database::TrialRow& row : rows) {
    std::optional<FailureReason> reason = impossible_time(row, peaks);
    if (reason) set_failure(row.trial, Status::kImpossible, std::move(*reason));
  }
}

}  // namespace warpwright
