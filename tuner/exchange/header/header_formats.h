// `warpwright export --format header|select-json`: writes one file per kernel from the boards that
// were requested.
#pragma once

#include <vector>

#include "exchange/export_format.h"

namespace warpwright {

// Also includes the header that all of them share.
[[nodiscard]] std::vector<ExportFile> export_header(const ExportRequest& request);
[[nodiscard]] std::vector<ExportFile> export_select_json(const ExportRequest& request);

}  // namespace warpwright
