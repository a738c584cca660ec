// What our own export says beyond T4, so that reading it back loses nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "records/records.h"

namespace warpwright {

// Nothing without such a member. `place` is where the result stands, for messages. Throws Error
// (user) for what is no number, and for times that our export never writes: a file that says it is
// ours may be anyone's.
void read_ours(const nlohmann::json& ours, const std::string& place, TrialRecord& trial);

}  // namespace warpwright
