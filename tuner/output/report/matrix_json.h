// The performance of each device's best configuration on the others, for every problem that several
// devices or databases have.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "output/report/report_source.h"

namespace warpwright {

// The matrices of report_json.h. Boards are counted over all sources, in order.
[[nodiscard]] nlohmann::json matrices_json(const std::vector<ReportSource>& sources);

}  // namespace warpwright
