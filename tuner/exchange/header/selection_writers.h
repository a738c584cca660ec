// Writes a selection model in forms that programs compile or load: a header for C99 and C++17, or
// JSON. Both hold the same data and choose the same way (analysis/select/select_configuration.h).
// The texts depend on the model and the options alone, so that two exports of one database are
// equal and others diff well. `warpwright export --format header|select-json` writes one file per
// kernel from the boards that were requested.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/select/selection_model.h"
#include "exchange/export_format.h"
#include "exchange/header/header_origin.h"

namespace warpwright {

// The header includes shared/warpwright_select.h, which lies in the same folder. Throws Error
// (user) if a header cannot express the contract.
[[nodiscard]] std::string selection_header(const SelectionModel& model,
                                           const HeaderOptions& options);
// The text ends in a newline. Expressions are given as text and as trees, [operator, operand...],
// so that a loader needs no parser.
[[nodiscard]] std::string select_json(const SelectionModel& model, const std::string& version);

// Also includes the header that all of them share.
[[nodiscard]] std::vector<ExportFile> export_header(const ExportRequest& request);
[[nodiscard]] std::vector<ExportFile> export_select_json(const ExportRequest& request);

}  // namespace warpwright
