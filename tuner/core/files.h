// Small file helpers that report faults as Error (environment or user) with the path and the
// system's reason, and the output files that users name.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace warpwright {

// An owned file descriptor, closed when the object is destroyed.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  // Closes the descriptor now; returns false if the system reports a late write error (NFS,
  // quotas).
  [[nodiscard]] bool close_now() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

// Throws Error (user) if the file is missing, not a regular file (a folder, a pipe, a device:
// reading might never end) or larger than 2 GiB; throws Error (environment) if it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
// Returns nullopt if there is no such file.
[[nodiscard]] std::optional<std::string> read_file_if_present(const std::filesystem::path& path);

// Throws Error (user) if the path names anything but a regular file; it need not exist.
void require_regular_file(const std::filesystem::path& path);

// Writes to a temporary file next to the target, flushes it to disk and renames it: readers see the
// old or the new content, never a part. Throws Error (environment), for example on a full disk, and
// leaves no partial file behind.
void publish_file(const std::filesystem::path& path, std::string_view content);
// The same for content that can be regenerated: after a crash of the machine the file may be
// missing, but it never contains only a part. Returns the reason of a failure.
[[nodiscard]] std::error_code try_publish_file(const std::filesystem::path& path,
                                               std::string_view content);
// The extension of the temporary name under which a file is written before it is renamed.
inline constexpr std::string_view kPartialExtension = ".partial";

// Creates a folder and its parents if they do not exist. Throws Error (environment).
void make_folder(const std::filesystem::path& path);

// Writes everything to an open descriptor; an Error (environment) names `path`.
void write_all(int descriptor, std::string_view content, const std::filesystem::path& path);

// A folder that is removed with its content when the object is destroyed. If the process is killed,
// a later process of the same user removes the folder when it creates its own first one: a lock on
// the folder, which ends with its process, identifies abandoned ones.
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

// Removes the folders below `root` that TemporaryFolder objects of killed processes left behind.
void remove_abandoned_folders(const std::filesystem::path& root);

// $WARPWRIGHT_CACHE, else $XDG_CACHE_HOME/warpwright, else ~/.cache/warpwright if the home exists
// and is writable, else /tmp/warpwright-UID. Only the last is created, accessible to this user
// alone; throws Error (environment) if it belongs to another user.
[[nodiscard]] std::filesystem::path cache_root();

// The path of the running program, for starting worker processes. Throws Error (environment).
[[nodiscard]] std::filesystem::path own_executable();

// Writes output files that the user names. The kind of file under the name decides how it is
// written: a regular file is replaced as a whole, as publish_file() does; a symlink is kept and its
// target is written; a pipe, a terminal or another device is written into and never replaced.

// Throws Error (environment) for a folder, on a full disk (the old content then stays), and for a
// pipe without a reader.
void write_output(const std::filesystem::path& path, std::string_view content);

// The same, appending to the existing content.
void append_output(const std::filesystem::path& path, std::string_view content);

// Returns true if write_output() would leave a file behind, as opposed to /dev/stdout, a pipe or a
// device.
[[nodiscard]] bool is_output_file(const std::filesystem::path& path);

}  // namespace warpwright
