// Differences between contenders other than their times: device, driver, toolkit, version,
// protocol, sources. They are shown before any explanation of a speed-up.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/contender.h"

namespace warpwright {

struct ContenderDifference {
  std::string what;                 // "driver", "sources of softmax_topk naive"
  std::vector<std::string> values;  // by contender; "" where there is none or it is not known
};

// `boards` holds, per problem, the board of each contender that the comparison uses; null if there
// is none. A contender without a value does not count as different.
[[nodiscard]] std::vector<ContenderDifference> contender_differences(
    const std::vector<Contender>& contenders,
    const std::vector<std::vector<const Leaderboard*>>& boards);

}  // namespace warpwright
