// The sources of kernels: everything that one variant of a kernel consists of, to be stored with
// its results. That is kernel.yaml, the reference and the variant's source, with every file they
// include that lies below a folder of kernels, and the files that inputs are read from. Files of
// the toolkit and of the system are left out; for an input that is too large, only its SHA-256 is
// stored (FILE.sha256).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "records/records.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// Returns the sources from the kernel's texts, ordered by path, each once. `include_folders` are
// those of the compile jobs: the kernel's own folder and the common headers. Throws Error (user)
// when a source is missing.
[[nodiscard]] std::vector<KernelSource> kernel_sources(
    const KernelSpec& kernel, const VariantSpec& variant,
    const std::vector<std::filesystem::path>& include_folders);

// Returns the stored paths of the inputs for which the sources hold only a SHA-256.
[[nodiscard]] std::vector<std::string> inputs_left_out(const std::vector<KernelSource>& sources);

// Returns the reference and all files it includes, as far as they are found; empty for a launch
// contract, which has no reference. Throws as kernel_sources() does.
[[nodiscard]] std::vector<SourceFile> reference_files(
    const KernelSpec& kernel, const std::vector<std::filesystem::path>& include_folders);

// Returns the path under which a file below a folder of kernels is stored, such as
// "kernels/softmax_topk/naive.cu"; nullopt for any other file.
[[nodiscard]] std::optional<std::string> stored_path(
    const std::filesystem::path& file, const KernelSpec& kernel,
    const std::vector<std::filesystem::path>& include_folders);

}  // namespace warpwright
