// Trials that were measured elsewhere and read from a file of results. They have a protocol of
// their own, failed ones too, and a device of their own, so that they never share a board with
// trials of this program; their source is shown together with their numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "records/records.h"

namespace warpwright {

// The prefix of their protocols: "imported-t4-1".
inline constexpr std::string_view kImportedProtocols = "imported-";

[[nodiscard]] bool is_imported(const TrialRecord& trial);
// The details in the file that have no column; {} for one of our own trials.
[[nodiscard]] nlohmann::json import_details(const TrialRecord& trial);
// The name of the file it was read from; "" if that is not recorded, and for one of our own.
[[nodiscard]] std::string import_file(const TrialRecord& trial);

}  // namespace warpwright
