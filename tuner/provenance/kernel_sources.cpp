#include "provenance/kernel_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "compile/include_scan.h"
#include "spec/kernel_fills.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// The ending of the file that stands for an input too large to be stored; `sha256sum -c` reads it.
constexpr std::string_view kStampEnding = ".sha256";

// A folder and the prefix under which files below it are stored.
struct Root {
  fs::path folder;
  std::string prefix;
};

// Returns the deepest root first, so that a name does not depend on the folders above it: the
// folder above a kernel may contain a checkout with the common headers far below, and the other way
// round.
std::vector<Root> roots_of(const KernelSpec& kernel, const std::vector<fs::path>& include_folders) {
  std::vector<Root> roots;
  const auto add = [&](const fs::path& given) {
    const fs::path folder = given.lexically_normal();
    roots.push_back({folder, "kernels/" + folder.filename().generic_string() + "/"});
    roots.push_back({folder.parent_path(), "kernels/"});
  };
  add(kernel.folder);
  for (const fs::path& folder : include_folders) add(folder);
  std::stable_sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) {
    return std::distance(a.folder.begin(), a.folder.end()) >
           std::distance(b.folder.begin(), b.folder.end());
  });
  return roots;
}

std::vector<SourceFile> closure(const fs::path& source, const std::vector<fs::path>& folders,
                                const std::shared_ptr<SourceBundle>& texts) {
  CompileJob job;
  job.source = source;
  job.include_folders = folders;
  job.texts = texts;
  std::vector<SourceFile> files = collect_sources(job);
  std::erase_if(files, [](const SourceFile& file) { return !file.found; });
  return files;
}

}  // namespace

std::vector<SourceFile> reference_files(const KernelSpec& kernel,
                                        const std::vector<fs::path>& include_folders) {
  if (kernel.launch_only) return {};
  // The reference may include "reference.h" as "common/reference.h".
  std::vector<fs::path> folders = include_folders;
  for (const fs::path& folder : include_folders)
    folders.push_back(folder.lexically_normal().parent_path());
  const std::shared_ptr<SourceBundle> texts = texts_of(kernel);
  for (const fs::path& folder : include_folders) texts->allow(folder, FolderUse::kOwn);
  return closure(kernel.reference.source, folders, texts);
}

std::optional<std::string> stored_path(const fs::path& file, const KernelSpec& kernel,
                                       const std::vector<fs::path>& include_folders) {
  for (const Root& root : roots_of(kernel, include_folders)) {
    const fs::path relative = file.lexically_normal().lexically_relative(root.folder);
    if (!relative.empty() && *relative.begin() != "..")
      return root.prefix + relative.generic_string();
  }
  return std::nullopt;
}

std::vector<std::string> inputs_left_out(const std::vector<KernelSource>& sources) {
  std::vector<std::string> names;
  for (const KernelSource& source : sources) {
    if (!source.path.ends_with(kStampEnding)) continue;
    std::string name = source.path.substr(0, source.path.size() - kStampEnding.size());
    const bool there = std::any_of(sources.begin(), sources.end(),
                                   [&](const KernelSource& other) { return other.path == name; });
    if (!there) names.push_back(std::move(name));
  }
  return names;
}

std::vector<KernelSource> kernel_sources(const KernelSpec& kernel, const VariantSpec& variant,
                                         const std::vector<fs::path>& include_folders) {
  const std::shared_ptr<SourceBundle> bundle = texts_of(kernel);
  std::map<std::string, std::string> texts;
  const auto add = [&](const fs::path& path, const std::string& text) {
    if (const auto name = stored_path(path, kernel, include_folders))
      texts.try_emplace(*name, text);
  };
  add(kernel.file, bundle->require(kernel.file));
  for (const SourceFile& file :
       closure(variant.source, kernel.header_folders(include_folders), bundle))
    add(file.path, file.content);
  for (const SourceFile& file : reference_files(kernel, include_folders))
    add(file.path, file.content);
  for (const fs::path& file : input_files(kernel)) {
    const InputText found = bundle->find_input(file);
    if (found.text != nullptr) add(file, *found.text);
    if (found.large != nullptr)
      add(file.string() + std::string(kStampEnding),
          fmt::format("{}  {}\n", found.large->sha256, file.filename().string()));
  }

  std::vector<KernelSource> sources;
  for (auto& [path, text] : texts) sources.push_back({path, std::move(text)});
  return sources;
}

}  // namespace warpwright
