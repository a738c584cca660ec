#include "vet/run/find_subject.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/source_bundle.h"
#include "core/words.h"
#include "vet/comments/comment_subject.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// The comparison ignores case, since x.CU is a CUDA source as well.
bool has_ending(const fs::path& path, std::string_view ending) {
  return lower(path.extension().string()) == ending;
}

// kernel.yaml must hold everything that sweeps need; any other file need only describe the
// launches.
KernelSpec read_contract(const fs::path& file,
                         std::shared_ptr<SourceBundle> texts = std::make_shared<SourceBundle>()) {
  return file.filename() == "kernel.yaml" ? read_kernel(file, std::move(texts))
                                          : read_launch_contract(file, std::move(texts));
}

// Keeps the variants of a folder's contract whose source is `source`.
void keep_variants_of(const fs::path& source, KernelSpec& kernel) {
  std::error_code ignored;
  std::erase_if(kernel.variants, [&](const VariantSpec& variant) {
    return !fs::equivalent(variant.source, source, ignored);
  });
}

// For a contract whose source may be in another folder, since the user named both.
std::shared_ptr<SourceBundle> bundle_beside(const fs::path& source) {
  auto texts = std::make_shared<SourceBundle>();
  texts->allow(fs::absolute(source).lexically_normal().parent_path(), FolderUse::kOwn);
  return texts;
}

KernelSpec of_source(const fs::path& source, const fs::path& contract) {
  if (!contract.empty()) {
    KernelSpec kernel = read_contract(contract, bundle_beside(source));
    keep_variants_of(source, kernel);
    if (!kernel.variants.empty()) return kernel;
    throw user_error(
        fmt::format("{} has no variant whose source is {}", contract.string(), source.string()));
  }
  const fs::path beside = fs::path(source).replace_extension(".yaml");
  if (fs::is_regular_file(beside)) return read_launch_contract(beside);
  const fs::path folder = fs::absolute(source).parent_path() / "kernel.yaml";
  if (fs::is_regular_file(folder)) {
    KernelSpec kernel = read_kernel(folder);
    keep_variants_of(source, kernel);
    if (!kernel.variants.empty()) return kernel;
  }
  throw user_error(
      fmt::format("{0}: nothing says how to launch it; write a comment such as `// vet: "
                  "kernel<<<4, 256>>>(x[1024], 1024)` above the kernel, or {1} with `problem`, "
                  "`arguments` and `launches` (tuner/vet/README.md), or name a contract with "
                  "--contract",
                  source.string(), beside.string()));
}

KernelSpec find_contract(const VetOptions& options, const Paths& paths) {
  const fs::path path = options.subject;
  std::error_code ignored;
  if (has_ending(path, ".cu")) {
    if (!fs::is_regular_file(path, ignored))
      throw user_error(fmt::format("{}: there is no such file", path.string()));
    return of_source(path, options.contract);
  }
  if (!options.contract.empty())
    throw user_error(fmt::format("--contract belongs to a .cu file, got '{}'", options.subject));
  if (fs::is_regular_file(path, ignored)) return read_contract(path);
  if (fs::is_regular_file(path / "kernel.yaml", ignored)) return read_kernel(path);
  return read_kernel(find_kernel_file(paths, options.subject));
}

}  // namespace

bool is_launched_by_comments(const VetOptions& options) {
  const fs::path path = options.subject;
  std::error_code ignored;
  return (has_ending(path, ".cu") || has_ending(path, ".cuh")) && options.contract.empty() &&
         fs::is_regular_file(path, ignored) && has_launch_comment(path);
}

KernelSpec find_subject(const VetOptions& options, const Paths& paths) {
  KernelSpec found = find_contract(options, paths);
  if (options.added.empty()) return found;
  KernelSpec kernel = with_added(
      found, options.added, options.contract.empty() ? nullptr : bundle_beside(options.subject));
  // Keep only the variants found above: a .cu subject selects some of them.
  std::erase_if(kernel.variants, [&](const VariantSpec& variant) {
    return found.find_variant(variant.name) == nullptr;
  });
  return kernel;
}

}  // namespace warpwright
