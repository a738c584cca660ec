// Everything that one variant of a kernel consists of, to be stored with its results: kernel.yaml,
// the reference and the variant's source, with every file they include that lies below a folder of
// kernels. What the toolkit and the system bring is left out.
#pragma once

#include <filesystem>
#include <vector>

#include "spec/kernel_spec.h"
#include "store/records.h"

namespace warpwright {

// By path, each once. `include_folders` are those of the compile jobs: the kernel's own and the
// common headers. Throws Error (user) when a source is missing.
[[nodiscard]] std::vector<KernelSource> kernel_sources(
    const KernelSpec& kernel, const VariantSpec& variant,
    const std::vector<std::filesystem::path>& include_folders);

}  // namespace warpwright
