// Trials that were measured elsewhere and read from a file of results. They carry a protocol of
// their own, failed ones too, and a device of their own, so that they never share a board with
// trials of this program; wherever their numbers are shown, it says where they come from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "records/records.h"

namespace warpwright {

// How their protocols begin: "imported-t4-1".
inline constexpr std::string_view kImportedProtocols = "imported-";

[[nodiscard]] bool is_imported(const TrialRecord& trial);
// What the file said about it that has no column; {} for one of our own.
[[nodiscard]] nlohmann::json import_details(const TrialRecord& trial);
// The name of the file it was read from; "" when it does not say, and for one of our own.
[[nodiscard]] std::string import_file(const TrialRecord& trial);

}  // namespace warpwright
