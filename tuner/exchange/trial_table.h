// Results as one table, a row per trial, for spreadsheets and data frames: CSV and JSON with the
// same columns, which tuner/exchange/README.md documents. Sizes of the problem and parameters are
// columns of their own, "problem.rows" and "parameter.THREADS", in alphabetical order.
#pragma once

#include <vector>

#include "exchange/export_format.h"

namespace warpwright {

// One file: a line of column names and a line per trial, quoted and terminated as in RFC 4180. An
// unknown value is an empty field.
[[nodiscard]] std::vector<ExportFile> export_csv(const ExportRequest& request);

// One file: an array of objects with equal keys, as pandas.read_json() expects it, and with the raw
// samples as "samples_us". An unknown value is null.
[[nodiscard]] std::vector<ExportFile> export_json(const ExportRequest& request);

}  // namespace warpwright
