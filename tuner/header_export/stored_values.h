// JSON columns of a database as values.
#pragma once

#include <map>
#include <string>

#include "core/value.h"
#include "store/database.h"

namespace warpwright {

// A device's limits under the names that expressions know them by (as DeviceInfo::limits(), which
// is of a layer that knows devices); 0 where `details_json` does not tell.
[[nodiscard]] std::map<std::string, Value> stored_limits(const std::string& details_json);

// Throws Error (user), naming the trial, unless they are JSON objects of plain values.
[[nodiscard]] std::map<std::string, Value> stored_problem(const Database::TrialRow& row);
[[nodiscard]] std::map<std::string, Value> stored_configuration(const Database::TrialRow& row);

}  // namespace warpwright
