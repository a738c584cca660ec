// A selection model in forms that programs compile or load: a header for C99 and C++17, JSON. Both
// hold the same data and choose the same way (analysis/select/select_configuration.h). The texts
// depend on the model and the options alone, so that two exports of one database are equal and
// others diff well.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/select/selection_model.h"
#include "exchange/header/header_origin.h"

namespace warpwright {

// Includes shared/warpwright_select.h, which lies beside it. Throws Error (user) where a header
// cannot say what the contract does.
[[nodiscard]] std::string selection_header(const SelectionModel& model,
                                           const HeaderOptions& options);
// Ends in a newline. Expressions are given as text and as trees, [operator, operand...], so that a
// loader needs no parser.
[[nodiscard]] std::string select_json(const SelectionModel& model, const std::string& version);

}  // namespace warpwright
