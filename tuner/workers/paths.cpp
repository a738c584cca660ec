#include "workers/paths.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"
#include "core/files.h"
#include "core/words.h"
#include "spec/kernel_spec.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

fs::path nearest_home_above(fs::path folder) {
  while (!folder.empty()) {
    std::error_code ignored;
    if (fs::is_directory(folder / "kernels" / "common", ignored)) return folder;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

// The folder for a user's data of an installed program, by the XDG rules. The home folder may be
// shared, and is deleted when the program is removed.
fs::path kept_data() {
  const char* xdg = std::getenv("XDG_DATA_HOME");
  if (xdg != nullptr && fs::path(xdg).is_absolute()) return fs::path(xdg) / "warpwright";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".local/share/warpwright";
  return fs::current_path() / "warpwright-results";
}

}  // namespace

bool Paths::is_own(const fs::path& kernel_folder) const {
  const fs::path own = home / "kernels";
  std::error_code differs;
  return kernel_folder.parent_path() == own ||
         fs::equivalent(kernel_folder.parent_path(), own, differs);
}

fs::path Paths::built_reference(const std::string& kernel) const {
  std::error_code differs;
  if (!fs::equivalent(nearest_home_above(program.parent_path()), home, differs)) return {};
  const fs::path file = program.parent_path() / "references" / (kernel + ".so");
  std::error_code ignored;
  return fs::exists(file, ignored) ? file : fs::path();
}

fs::path Paths::default_database() const {
  std::error_code ignored;
  const bool installed = fs::exists(home / "installed_files", ignored);
  return (installed ? kept_data() : home / "results") / "warpwright.db";
}

Paths find_paths(const std::vector<fs::path>& extra_kernel_roots) {
  Paths paths;
  paths.program = own_executable();
  if (const char* home = std::getenv("WARPWRIGHT_HOME"); home != nullptr && *home != '\0') {
    paths.home = fs::absolute(home);
    if (!fs::is_directory(paths.home / "kernels" / "common")) {
      throw user_error(
          fmt::format("WARPWRIGHT_HOME={}: expected a folder that holds kernels/common, "
                      "got none there; set it to a checkout of warpwright or unset it",
                      home));
    }
  } else {
    paths.home = nearest_home_above(paths.program.parent_path());
    if (paths.home.empty()) paths.home = nearest_home_above(fs::current_path());
  }
  if (paths.home.empty()) {
    throw environment_error(fmt::format(
        "no folder with kernels/common above {} or {}; set WARPWRIGHT_HOME to a checkout",
        paths.program.parent_path().string(), fs::current_path().string()));
  }
  for (const fs::path& root : extra_kernel_roots) {
    if (!fs::is_directory(root)) {
      throw user_error(fmt::format("--kernels {}: expected a folder of kernel folders, got {}",
                                   root.string(), fs::exists(root) ? "a file" : "nothing there"));
    }
    // A kernel's own folder is accepted as well as the folder above it, since users type both.
    const fs::path absolute = fs::absolute(root).lexically_normal();
    paths.kernel_roots.push_back(fs::exists(absolute / "kernel.yaml") ? absolute.parent_path()
                                                                      : absolute);
  }
  paths.kernel_roots.push_back(paths.home / "kernels");
  return paths;
}

fs::path find_kernel_file(const Paths& paths, const std::string& kernel) {
  const std::map<std::string, fs::path> found = find_kernels(paths.kernel_roots);
  if (const auto it = found.find(kernel); it != found.end()) return it->second;
  std::vector<std::string> names;
  for (const auto& [name, file] : found) names.push_back(name);
  std::string roots;
  for (const fs::path& root : paths.kernel_roots)
    roots += (roots.empty() ? "" : ", ") + root.string();
  throw user_error(
      fmt::format("unknown kernel '{}'{}; looked in {}; add folders with --kernels DIR", kernel,
                  suggestion(kernel, names), roots));
}

}  // namespace warpwright
