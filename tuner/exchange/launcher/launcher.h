// `warpwright export KERNEL --format launcher -o DIR`: a small C++17 library per kernel that
// chooses, compiles and launches, with the tuned sources embedded. shared/ holds the files that all
// launchers share.
#pragma once

#include <string>
#include <vector>

#include "analysis/select/selection_model.h"
#include "exchange/export_format.h"
#include "exchange/header/header_origin.h"

namespace warpwright {

// The files for one kernel: the typed call, its source, and files for pkg-config, without the
// shared files. Throws Error (user) if the tuned sources are not known or variants disagree about
// one.
[[nodiscard]] std::vector<ExportFile> launcher_files(const SelectionModel& model,
                                                     const HeaderOptions& options);

// The CMakeLists.txt of a folder with launchers of these kernels, in order.
[[nodiscard]] std::string launcher_cmake(const std::vector<std::string>& kernels);

// The launcher files of every kernel of the boards, their headers, the shared files, and a
// CMakeLists.txt.
[[nodiscard]] std::vector<ExportFile> export_launcher(const ExportRequest& request);

}  // namespace warpwright
