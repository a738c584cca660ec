// Where Warpwright's own data lies at run time: kernels, their built references, the default
// database. Home is $WARPWRIGHT_HOME, else the nearest folder above the program (then above the
// working directory) with kernels/common: a checkout, or what cmake/install.cmake makes of one.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpwright {

struct Paths {
  std::filesystem::path home;     // empty when none was found
  std::filesystem::path program;  // the running executable
  // Every --kernels DIR, then home/kernels: of two kernels with the same name, the one in the given
  // folder is used.
  std::vector<std::filesystem::path> kernel_roots;

  [[nodiscard]] std::filesystem::path common_headers() const { return home / "kernels" / "common"; }
  // Whether a kernel's folder is one of home/kernels: not one given with --kernels, whatever its
  // name.
  [[nodiscard]] bool is_own(const std::filesystem::path& kernel_folder) const;
  // The in-tree reference built beside the program; empty when there is none, or when home is not
  // the tree that it was built from.
  [[nodiscard]] std::filesystem::path built_reference(const std::string& kernel) const;
  [[nodiscard]] std::filesystem::path default_database() const;  // installed: the user's own
};

// Throws Error (user) when an extra root is not a folder, Error (environment) when no home is
// found.
[[nodiscard]] Paths find_paths(const std::vector<std::filesystem::path>& extra_kernel_roots);

// The kernel.yaml of `kernel` under the roots. Throws Error (user) with a suggestion.
[[nodiscard]] std::filesystem::path find_kernel_file(const Paths& paths, const std::string& kernel);

}  // namespace warpwright
