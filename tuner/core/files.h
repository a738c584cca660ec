// Small file helpers that report faults as Error (environment or user) with the path and the
// system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace warpwright {

// Throws Error (user) when the file is missing, not a regular file (a folder, a pipe, a device:
// reading might never end) or larger than 2 GiB, Error (environment) when it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
// nullopt when there is no such file.
[[nodiscard]] std::optional<std::string> read_file_if_present(const std::filesystem::path& path);

// Throws Error (user) when the path names anything but a regular file; it may also name nothing.
void require_regular_file(const std::filesystem::path& path);

// Writes beside the target, flushes to the disk and renames: readers see the old content or the
// new, never a part. Throws Error (environment), for example on a full disk, and leaves no partial
// file behind.
void publish_file(const std::filesystem::path& path, std::string_view content);
// The same for what can be made again: after a crash of the machine the file may be missing, but
// never holds a part. Says why it failed.
[[nodiscard]] std::error_code try_publish_file(const std::filesystem::path& path,
                                               std::string_view content);
// Of the name under which a file is written before it is renamed.
inline constexpr std::string_view kPartialExtension = ".partial";

// Makes a folder and those above it unless it is there. Throws Error (environment).
void make_folder(const std::filesystem::path& path);

// Writes everything to an open descriptor; an Error (environment) names `path`.
void write_all(int descriptor, std::string_view content, const std::filesystem::path& path);

// A folder that is removed with everything in it when the object is destroyed. One whose process
// was killed is removed by a later process of the same user, when it makes its first: a lock on the
// folder, which ends with its process, tells them apart.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view prefix = "warpwright");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

// Removes folders below `root` that TemporaryFolder objects of killed processes left there.
void remove_abandoned_folders(const std::filesystem::path& root);

// $WARPWRIGHT_CACHE, else $XDG_CACHE_HOME/warpwright, else ~/.cache/warpwright where the home
// exists and can be written, else /tmp/warpwright-UID. Only the last is created, for this user
// alone; throws Error (environment) when somebody else has it.
[[nodiscard]] std::filesystem::path cache_root();

// The running program's own file, for starting worker processes. Throws Error (environment).
[[nodiscard]] std::filesystem::path own_executable();

}  // namespace warpwright
