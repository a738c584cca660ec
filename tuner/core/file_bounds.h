// Limits which files may be read on behalf of untrusted sources and contracts. Folders are allowed
// one by one; a file is judged by its location after all symbolic links are resolved. A file that
// is not allowed is treated as if it did not exist, without accessing the disk, so that its
// existence cannot be probed; only a link that leads outside is rejected by name. Folders that the
// user allows on the command line belong to the process, so no contract can grant itself access.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright {

enum class FolderUse {
  kOwn,     // of the kernel or of this program: everything below except hidden files, such as .git
  kHeaders  // named by a contract: only files with the name of a header or a source
};

// Recognises headers and sources by their extensions. The C++ standard headers have none and lie in
// a folder called include.
[[nodiscard]] bool has_source_name(const std::filesystem::path& file);

class FileBounds {
 public:
  void allow(const std::filesystem::path& folder, FolderUse use);
  // Returns true if the file, which need not exist, lies within. Throws Error (user) for a path
  // below one of the folders from which a symbolic link leads out of all of them.
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

// Lifts all bounds for this process and the bundles that it creates: --trust-includes.
void trust_all_files(bool trusted);
[[nodiscard]] bool all_files_are_trusted();
// Allows a folder that the command line names: every file below it may be read.
void trust_folder(const std::filesystem::path& folder);

}  // namespace warpwright
