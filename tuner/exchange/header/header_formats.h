// `warpwright export --format header|select-json`: one file per kernel, from the boards that were
// asked for.
#pragma once

#include <vector>

#include "exchange/export_format.h"

namespace warpwright {

// And the header that they share.
[[nodiscard]] std::vector<ExportFile> export_header(const ExportRequest& request);
[[nodiscard]] std::vector<ExportFile> export_select_json(const ExportRequest& request);

}  // namespace warpwright
