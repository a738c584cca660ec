// The selftest's report for people and for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/screen.h"
#include "harness/selftest/selftest.h"

namespace warpwright {

// The device and versions, a table of every figure next to its target, and "N of M targets met".
[[nodiscard]] std::string selftest_text(const SelftestReport& report, const Screen& screen = {});
// {"selftest": {"device", "driver", "nvrtc", "version", "date_utc", "protocols", "quick", "met",
//  "targets"}, "figures": [...], "raw": {section: ...}}
[[nodiscard]] nlohmann::json selftest_json(const SelftestReport& report);

}  // namespace warpwright
