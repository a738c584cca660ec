// `warpwright export --format header|c|select-json`: one file per kernel, from the boards that were
// asked for.
#pragma once

#include <vector>

#include "exchange/export_format.h"

namespace warpwright {

[[nodiscard]] std::vector<ExportFile> export_cpp_header(const ExportRequest& request);
[[nodiscard]] std::vector<ExportFile> export_c_header(const ExportRequest& request);
[[nodiscard]] std::vector<ExportFile> export_select_json(const ExportRequest& request);

}  // namespace warpwright
