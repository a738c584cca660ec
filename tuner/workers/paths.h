// Locates Warpwright's own data at run time: kernels, their built references, the default database.
// Home is $WARPWRIGHT_HOME, else the nearest folder above the program (then above the working
// directory) with kernels/common: a checkout, or a tree that cmake/install.cmake installed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpwright {

struct Paths {
  std::filesystem::path home;     // empty when none was found
  std::filesystem::path program;  // the running executable
  // Every --kernels DIR, then home/kernels: of two kernels with the same name, the one given with
  // --kernels is used.
  std::vector<std::filesystem::path> kernel_roots;

  [[nodiscard]] std::filesystem::path common_headers() const { return home / "kernels" / "common"; }
  // Returns whether a kernel's folder is one of home/kernels, and not one given with --kernels,
  // whatever its name.
  [[nodiscard]] bool is_own(const std::filesystem::path& kernel_folder) const;
  // Returns the in-tree reference that was built next to the program; empty when there is none, or
  // when home is not the tree that the program was built from.
  [[nodiscard]] std::filesystem::path built_reference(const std::string& kernel) const;
  [[nodiscard]] std::filesystem::path default_database() const;  // installed: the user's own
};

// Throws Error (user) when an extra root is not a folder, Error (environment) when no home is
// found.
[[nodiscard]] Paths find_paths(const std::vector<std::filesystem::path>& extra_kernel_roots);

// Returns the kernel.yaml of `kernel` under the roots. Throws Error (user) with a suggestion.
[[nodiscard]] std::filesystem::path find_kernel_file(const Paths& paths, const std::string& kernel);

}  // namespace warpwright
