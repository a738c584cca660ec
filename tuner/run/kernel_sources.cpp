#include "run/kernel_sources.h"

#include <map>
#include <optional>
#include <string>

#include "compile/include_scan.h"
#include "core/files.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// "kernels/softmax_topk/naive.cu" of a file below one of `roots`, the folders that hold kernels.
std::optional<std::string> stored_path(const fs::path& file, const std::vector<fs::path>& roots) {
  for (const fs::path& root : roots) {
    const fs::path relative = file.lexically_normal().lexically_relative(root);
    if (!relative.empty() && *relative.begin() != "..")
      return "kernels/" + relative.generic_string();
  }
  return std::nullopt;
}

}  // namespace

std::vector<KernelSource> kernel_sources(const KernelSpec& kernel, const VariantSpec& variant,
                                         const std::vector<fs::path>& include_folders) {
  std::vector<fs::path> roots = {kernel.folder.parent_path().lexically_normal()};
  // A reference may say "common/reference.h" for "reference.h".
  std::vector<fs::path> reference_folders = include_folders;
  for (const fs::path& folder : include_folders) {
    roots.push_back(folder.lexically_normal().parent_path());
    reference_folders.push_back(roots.back());
  }

  std::map<std::string, std::string> texts;
  const auto add = [&](const fs::path& path, const std::string& text) {
    if (const auto name = stored_path(path, roots)) texts.try_emplace(*name, text);
  };
  add(kernel.file, read_file(kernel.file));
  const auto add_closure = [&](const fs::path& source, const std::vector<fs::path>& folders) {
    CompileJob job;
    job.source = source;
    job.include_folders = folders;
    for (const SourceFile& file : collect_sources(job))
      if (file.found) add(file.path, file.content);
  };
  add_closure(variant.source, include_folders);
  add_closure(kernel.reference.source, reference_folders);

  std::vector<KernelSource> sources;
  for (auto& [path, text] : texts) sources.push_back({path, std::move(text)});
  return sources;
}

}  // namespace warpwright
