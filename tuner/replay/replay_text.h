// Replays as tables: one for each recording, and one of the means.
#pragma once

#include <string>

#include "core/screen.h"
#include "replay/replay_report.h"

namespace warpwright {

[[nodiscard]] std::string replay_text(const std::vector<Recording>& recordings,
                                      const ReplayPlan& plan, const ReplayReport& report,
                                      const Screen& screen);

}  // namespace warpwright
