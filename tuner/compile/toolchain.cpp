#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "compile/nvrtc.h"
#include "core/error.h"
#include "core/files.h"
#include "core/words.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLibraryStem = "libnvrtc.so";
// Names to try with the loader's default path, newest first; older releases do not support sm_90a.
constexpr const char* kSonames[] = {"libnvrtc.so.14", "libnvrtc.so.13", "libnvrtc.so.12"};
constexpr int kOldestMajor = 12;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// There are many harmless reasons why a folder cannot be listed; such a folder counts as empty.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> result;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    result.push_back(it->path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Maps "libnvrtc.so.13" to 13, "libnvrtc.so" to 0 and other files to -1.
int library_major(const std::string& name) {
  if (!name.starts_with(kLibraryStem)) return -1;
  const std::string_view rest = std::string_view(name).substr(kLibraryStem.size());
  if (rest.empty()) return 0;
  if (rest.size() < 2 || rest[0] != '.' || !is_digit(rest[1])) {
    return -1;
  }
  int major = -1;
  std::from_chars(rest.data() + 1, rest.data() + rest.size(), major);
  return major;
}

// Returns the newest NVRTC directly inside the folder.
std::optional<fs::path> library_in(const fs::path& folder) {
  std::optional<fs::path> best;
  int best_major = -1;
  for (const fs::path& file : entries(folder)) {
    const int major = library_major(file.filename().string());
    const bool usable = major == 0 || major >= kOldestMajor;
    std::error_code ignored;
    if (usable && major > best_major && fs::exists(file, ignored)) {
      best = file;
      best_major = major;
    }
  }
  return best;
}

void add_if_headers(std::vector<fs::path>& folders, const fs::path& folder) {
  const auto add = [&](const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    if (std::find(folders.begin(), folders.end(), normal) == folders.end()) {
      folders.push_back(normal);
    }
  };
  std::error_code ignored;
  if (fs::exists(folder / "cuda_fp16.h", ignored)) add(folder);
  // CUDA 13 moved <cuda/...> one level down; the wheels of CUDA 12 have it in a separate package.
  if (fs::exists(folder / "cccl" / "cuda", ignored)) add(folder / "cccl");
  if (fs::exists(folder / "cuda" / "std", ignored)) add(folder);
}

// Returns the header folders of a library, in the layouts of the toolkit, of distributions and of
// the wheels.
std::vector<fs::path> headers_for(const fs::path& library) {
  const fs::path folder = library.parent_path();
  std::vector<fs::path> result;
  add_if_headers(result, folder.parent_path() / "include");
  for (const char* sibling : {"cuda_runtime", "cuda_cccl", "cuda_crt"}) {
    add_if_headers(result, folder.parent_path().parent_path() / sibling / "include");
  }
  if (result.empty()) add_if_headers(result, folder.parent_path().parent_path() / "include");
  if (result.empty()) add_if_headers(result, "/usr/local/cuda/include");
  return result;
}

class Search {
 public:
  explicit Search(std::vector<std::string>* looked_in) : looked_in_(looked_in) {}

  [[nodiscard]] bool found() const { return toolchain_.has_value(); }
  [[nodiscard]] std::optional<Toolchain> take() { return std::move(toolchain_); }

  void library(const fs::path& file, const std::string& found_by) {
    if (found()) return;
    note(file.string());
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) accept(file, found_by);
  }
  void library_folder(const fs::path& folder, const std::string& found_by) {
    if (found()) return;
    note(folder.string());
    if (const auto file = library_in(folder)) accept(*file, found_by);
  }
  // Searches a toolkit's root: lib64 on most systems, lib in the wheels, targets/<platform>/lib in
  // network installations.
  void root(const fs::path& folder, const std::string& found_by) {
    if (found() || folder.empty()) return;
    note(folder.string());
    std::vector<fs::path> candidates = {folder / "lib64", folder / "lib"};
    for (const fs::path& target : entries(folder / "targets")) candidates.push_back(target / "lib");
    for (const fs::path& candidate : candidates) {
      if (const auto file = library_in(candidate)) return accept(*file, found_by);
    }
  }
  // Searches site-packages, or the target of `pip install --target`.
  void wheels(const fs::path& folder, const std::string& found_by) {
    if (found()) return;
    note((folder / "nvidia").string());
    std::vector<fs::path> packages = entries(folder / "nvidia");
    std::reverse(packages.begin(), packages.end());  // cu13 before cu12
    for (const fs::path& package : packages) {
      if (const auto file = library_in(package / "lib")) return accept(*file, found_by);
    }
  }
  void loader_default() {
    if (found()) return;
    note("the loader's default path");
    for (const char* name : kSonames) {
      void* handle = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
      if (handle == nullptr) continue;
      link_map* map = nullptr;
      std::string file;
      if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) file = map->l_name;
      ::dlclose(handle);
      if (!file.empty()) return accept(file, "the loader's default path");
    }
  }

 private:
  void note(const std::string& place) {
    if (looked_in_ != nullptr) looked_in_->push_back(place);
  }
  void accept(const fs::path& file, const std::string& found_by) {
    toolchain_ = Toolchain{file, headers_for(file), found_by};
    std::error_code failed;
    // /usr/lib/.../libnvrtc.so.13 may be a link into the toolkit, which has the headers.
    if (toolchain_->include_folders.empty()) {
      const fs::path real = fs::canonical(file, failed);
      if (!failed) toolchain_->include_folders = headers_for(real);
    }
  }

  std::vector<std::string>* looked_in_;
  std::optional<Toolchain> toolchain_;
};

// scripts/dev/fetch_cuda puts wheels into .deps/cuda of the repository, so search upwards from the
// working folder and from the program.
void search_project(Search& search) {
  std::error_code ignored;
  std::vector<fs::path> starts = {fs::current_path(ignored)};
  try {
    starts.push_back(own_executable().parent_path());
  } catch (const Error&) {  // no /proc: use only the working folder
  }
  for (const fs::path& start : starts) {
    for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
      const fs::path wheels = folder / ".deps" / "cuda";
      if (fs::is_directory(wheels, ignored)) search.wheels(wheels, "wheels in " + wheels.string());
      if (folder == folder.root_path()) break;
    }
  }
}

void search_site_packages(Search& search) {
  std::vector<fs::path> prefixes;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string prefix = variable(name); !prefix.empty()) prefixes.emplace_back(prefix);
  }
  if (const std::string home = variable("HOME"); !home.empty()) {
    prefixes.push_back(fs::path(home) / ".local");
  }
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  for (const fs::path& prefix : prefixes) {
    std::vector<fs::path> pythons = entries(prefix / "lib");
    std::reverse(pythons.begin(), pythons.end());
    for (const fs::path& python : pythons) {
      if (!python.filename().string().starts_with("python")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        std::error_code ignored;
        const fs::path folder = python / packages;
        if (fs::is_directory(folder, ignored)) {
          search.wheels(folder, "wheels in " + folder.string());
        }
      }
    }
  }
}

void search_system(Search& search) {
  for (std::string_view rest = std::getenv("LD_LIBRARY_PATH") != nullptr
                                   ? std::string_view(std::getenv("LD_LIBRARY_PATH"))
                                   : std::string_view();
       !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) search.library_folder(rest.substr(0, colon), "LD_LIBRARY_PATH");
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  search.loader_default();
  search.root("/usr/local/cuda", "/usr/local/cuda");
  search.root("/opt/cuda", "/opt/cuda");
  search_site_packages(search);
}

}  // namespace

std::optional<Toolchain> locate_toolchain(std::vector<std::string>* looked_in) {
  Search search(looked_in);
  if (const std::string chosen = variable("WARPWRIGHT_NVRTC"); !chosen.empty()) {
    std::error_code ignored;
    if (fs::is_directory(chosen, ignored)) {
      search.library_folder(chosen, "WARPWRIGHT_NVRTC");
    } else {
      search.library(chosen, "WARPWRIGHT_NVRTC");
    }
  }
  // Allows testing how the program behaves on a machine without a toolkit.
  const bool system = variable("WARPWRIGHT_NO_SYSTEM_CUDA").empty();
  if (system) {
    search.root(variable("CUDA_HOME"), "CUDA_HOME");
    search.root(variable("CUDA_PATH"), "CUDA_PATH");
  }
  search_project(search);
  if (system) search_system(search);
  return search.take();
}

}  // namespace warpwright
