// A database may hold times that are beyond what their device can do (metrics/peaks.h) as if they
// were true, because another program stored them, or because the ceilings were not measured yet. On
// every board they are failures of status `impossible`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/peaks.h"
#include "store/database.h"

namespace warpwright {

// Reads the peaks of every device of a database.
[[nodiscard]] PeaksByDevice read_peaks(const Database& database);
// Finds the peaks of a device of this machine, with the ceilings that a database has for it, if
// any.
[[nodiscard]] Peaks read_peaks(const std::optional<Database>& database, const DeviceInfo& device);

// The reason why the row's device cannot have done its work in `us`; nullopt if it can, or if no
// peaks are known for it.
[[nodiscard]] std::optional<FailureReason> beyond_peaks(const Database::TrialRow& row, double us,
                                                        const PeaksByDevice& peaks);
// The same check for the stored time of a row with status `ok`.
[[nodiscard]] std::optional<FailureReason> impossible_time(const Database::TrialRow& row,
                                                           const PeaksByDevice& peaks);

// Gives such rows the status `impossible` and the reason; their times stay.
void mark_impossible(std::vector<Database::TrialRow>& rows, const PeaksByDevice& peaks);

}  // namespace warpwright
