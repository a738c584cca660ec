// Results as T4 files, schema 1.0.0, one per board: kernel, problem and device. Times are in
// milliseconds. Our own member "warpwright" of every result keeps the values that the format cannot
// hold, so that `warpwright import` gives back the same values; other programs skip it.
#pragma once

#include <vector>

#include "exchange/export_format.h"

namespace warpwright {

// "time" is the median (less an empty kernel, where that was subtracted), and for imported results
// the time in their file; the raw runtimes are as measured. A pruned configuration is a "timeout",
// a noisy one failed at "runtime", and one whose time is impossible in "correctness": the format
// has no words for them. The variant is a parameter "variant".
[[nodiscard]] std::vector<ExportFile> export_t4(const ExportRequest& request);

}  // namespace warpwright
