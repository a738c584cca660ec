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
// Finds those of a device that is here, by the ceilings that a database has of it, if any.
[[nodiscard]] Peaks read_peaks(const std::optional<Database>& database, const DeviceInfo& device);

// Says why the row's device cannot have done its work in `us`; nullopt when it can, or when no
// peaks of it are known.
[[nodiscard]] std::optional<FailureReason> beyond_peaks(const Database::TrialRow& row, double us,
                                                        const PeaksByDevice& peaks);
// Says the same about the time that a row has whose status is `ok`.
[[nodiscard]] std::optional<FailureReason> impossible_time(const Database::TrialRow& row,
                                                           const PeaksByDevice& peaks);

// Gives such rows the status `impossible` and the reason; their times stay.
void mark_impossible(std::vector<Database::TrialRow>& rows, const PeaksByDevice& peaks);

}  // namespace warpwright
