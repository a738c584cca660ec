// The files of a kernel that its launcher compiles, under the names by which they are included.
#pragma once

#include <string>
#include <vector>

#include "analysis/select/selection_model.h"

namespace warpwright {

struct LauncherSource {
  std::string name;  // "split.cu", "topk.cuh"
  std::string text;
};

// Without contract and reference, each name once, of the folder that is searched first; with
// stand-ins for headers of C that NVRTC lacks. Throws Error (user) where a content is not known, or
// variants were tuned from different contents of one file.
[[nodiscard]] std::vector<LauncherSource> launcher_sources(const SelectionModel& model);

}  // namespace warpwright
