// What may be read on behalf of a source or a contract that others wrote. Folders are allowed one
// by one; a file counts where it lies once every symbolic link is resolved. Whatever is not allowed
// is treated as if it were not there, without a look at the disk, so that nobody learns whether it
// exists; only a link that leads out is refused by its name. What the person at the keyboard allows
// beyond that is the process's, so that no contract can allow it to itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright {

enum class FolderUse {
  kOwn,     // of the kernel, or of this program: all below but what is hidden, such as .git
  kHeaders  // named by a contract: of those, what has the name of a header or a source
};

// By the endings that headers and sources have. C++'s own headers have none, and lie in a folder
// that is called include.
[[nodiscard]] bool has_source_name(const std::filesystem::path& file);

class FileBounds {
 public:
  void allow(const std::filesystem::path& folder, FolderUse use);
  // Whether the file, which need not exist, lies within. Throws Error (user) for a path below one
  // of the folders that a symbolic link leads out of all of them.
  [[nodiscard]] bool holds(const std::filesystem::path& file) const;

 private:
  struct Folder {
    std::filesystem::path path;      // absolute and normalised
    std::filesystem::path resolved;  // without symbolic links
    FolderUse use = FolderUse::kOwn;
  };
  [[nodiscard]] bool covers(const std::filesystem::path& file) const;

  std::vector<Folder> folders_;
};

// Lifts all bounds, for this process and the bundles that it makes: --trust-includes.
void trust_all_files(bool trusted);
[[nodiscard]] bool all_files_are_trusted();
// A folder that the command line names: everything below it may be read.
void trust_folder(const std::filesystem::path& folder);

}  // namespace warpwright
