// Narrows one database by the parts of a contender's word (see contender_choice.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/database.h"

namespace warpwright {

struct ContendersLeft {
  std::vector<std::pair<RowId, DeviceRecord>> devices;  // devices that have trials
  std::optional<std::vector<RowId>> runs;               // all without it
};

// `name` is the database's name in messages. Throws an Error (user) that lists the choices.
[[nodiscard]] ContendersLeft narrow_contenders(const Database& database, const std::string& name,
                                               const std::vector<std::string>& parts);

}  // namespace warpwright
