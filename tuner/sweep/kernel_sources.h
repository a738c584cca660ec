// The sources of kernels. Collects everything that one variant of a kernel consists of, to be
// stored with its results: kernel.yaml, the reference and the variant's source, with every file
// they include that lies below a folder of kernels, and the files that inputs are read from. Files
// of the toolkit and of the system are left out; for an input that is too large, only its SHA-256
// is stored (FILE.sha256). Turns stored sources back into a tree of files from which the kernels
// can be read and compiled. Finds the commit that a folder's files belong to, so that results of
// two commits can be distinguished and compared, and notices that sources were edited while a sweep
// runs.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
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

// Creates the folders above `file`. Throws Error (environment).
void write_with_folders(const std::filesystem::path& file, const std::string& text);

// Writes the sources below `folder`, makes kernels/common, and returns the name of the folder of
// the first contract among them, below kernels/. A contract is refused while a source it names is
// missing, so those of variants that the sources leave out become files that say so: "not a part of
// this trial" when `of` is "trial". Throws Error (user) for a path that would lie outside the
// folder.
std::string write_source_tree(const std::vector<KernelSource>& sources,
                              const std::filesystem::path& folder, const std::string& of);

// Returns the commit that an installed kernel was installed from, else git's description of the
// folder: "1a2b3c4d5e6f", or "1a2b3c4d5e6f-dirty" when tracked files have changed since. "" when
// there is no repository, no commit or no git.
[[nodiscard]] std::string source_commit(const std::filesystem::path& folder);

// "warpwright 0.1.0 (commit 1a2b3c4d5e6f)", the version that a run records; the version alone if
// there is no commit.
[[nodiscard]] std::string version_with_commit(const std::string& version,
                                              const std::string& commit);

// The results of a sweep remain those of the texts that were read at its start; an edit is reported
// to the user once for each file.
class SourceWatch {
 public:
  // `include_folders` are those of the compile jobs.
  SourceWatch(const KernelSpec& kernel, std::vector<std::filesystem::path> include_folders);

  // Returns one sentence for every file that has changed since it was read and was not reported
  // before.
  [[nodiscard]] std::vector<std::string> news();

 private:
  const KernelSpec kernel_;
  const std::vector<std::filesystem::path> include_folders_;
  std::set<std::filesystem::path> named_;
};

}  // namespace warpwright
