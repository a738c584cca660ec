// An Outcome as JSON, in which it crosses the pipe from a measuring worker. The answers to requests
// for more than a trial are part of it: finals, gate and vet.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "trial/launch/outcome.h"

namespace warpwright {

void to_json(nlohmann::json& json, const Outcome& outcome);
// Throws nlohmann::json::exception when a member is missing or of another type, Error (user) when
// the status is unknown.
void from_json(const nlohmann::json& json, Outcome& outcome);

}  // namespace warpwright
