// Turns stored sources back into a tree of files from which the kernels can be read and compiled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/records.h"

namespace warpwright {

// Creates the folders above `file`. Throws Error (environment).
void write_with_folders(const std::filesystem::path& file, const std::string& text);

// Writes the sources below `folder`, makes kernels/common, and returns the name of the folder of
// the first contract among them, below kernels/. A contract is refused while a source it names is
// missing, so those of variants that the sources leave out become files that say so: "not a part of
// this trial" when `of` is "trial". Throws Error (user) for a path that would lie outside the
// folder.
std::string write_source_tree(const std::vector<KernelSource>& sources,
                              const std::filesystem::path& folder, const std::string& of);

}  // namespace warpwright
