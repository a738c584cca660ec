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

// The sources without contract and reference: each name once, from the folder that is searched
// first, with stand-ins for the C headers that NVRTC lacks. Throws Error (user) if a content is not
// known, or if variants were tuned from different contents of one file.
[[nodiscard]] std::vector<LauncherSource> launcher_sources(const SelectionModel& model);

}  // namespace warpwright
