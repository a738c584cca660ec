// A selection model in forms that programs compile or load: a C++17 header, a C99 header, JSON. All
// three hold the same data and choose the same way (analysis/select/select_configuration.h). The
// texts depend on the model alone, so that two exports of one database are equal and others diff
// well.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/select/selection_model.h"

namespace warpwright {

// For C++17 and later, host compilers, nvcc and NVRTC; includes nothing.
[[nodiscard]] std::string cpp_header(const SelectionModel& model, const std::string& version);
// For C99; includes nothing.
[[nodiscard]] std::string c_header(const SelectionModel& model, const std::string& version);
// Ends in a newline. Expressions are given as text and as trees, [operator, operand...], so that a
// loader needs no parser.
[[nodiscard]] std::string select_json(const SelectionModel& model, const std::string& version);

}  // namespace warpwright
