#include <system_error>

#include "spec/kernel_spec.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, std::map<std::string, fs::path>& kernels) {
  const fs::path file = folder / "kernel.yaml";
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return;
  // A root such as "kernels/x/" or "." has no last component of its own.
  const fs::path name = fs::absolute(file).lexically_normal().parent_path().filename();
  kernels.try_emplace(name.string(), file);
}

}  // namespace

std::map<std::string, fs::path> find_kernels(const std::vector<fs::path>& roots) {
  std::map<std::string, fs::path> kernels;
  for (const fs::path& root : roots) {
    add_folder(root, kernels);
    std::error_code failed;
    fs::directory_iterator entry(root, failed);
    while (!failed && entry != fs::directory_iterator()) {
      add_folder(entry->path(), kernels);
      entry.increment(failed);
    }
  }
  return kernels;
}

}  // namespace warpwright
