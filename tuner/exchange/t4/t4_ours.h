// Reads the member that our own export adds to T4, so that reading it back loses nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "records/records.h"

namespace warpwright {

// Does nothing if there is no such member. `place` is the position of the result, for messages.
// Throws Error (user) for a value that is not a number, and for times that our export never writes:
// a file that claims to be ours may come from anyone.
void read_ours(const nlohmann::json& ours, const std::string& place, TrialRecord& trial);

}  // namespace warpwright
