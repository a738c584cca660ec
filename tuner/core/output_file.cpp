#include "core/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>

#include "core/descriptor.h"
#include "core/error.h"
#include "core/files.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// The limit of the kernel.
constexpr int kMostLinks = 40;

std::string cause(int code) { return std::generic_category().message(code); }

// Recognises "/proc/self/fd/1": a descriptor of this process that is already open.
std::optional<int> own_descriptor(const fs::path& path) {
  const std::string text = path.string();
  for (const std::string& lead : {std::string("/proc/self/fd/"), std::string("/dev/fd/"),
                                  fmt::format("/proc/{}/fd/", ::getpid())}) {
    if (!text.starts_with(lead)) continue;
    int number = -1;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + lead.size(), last, number);
    if (error == std::errc() && end == last && number >= 0) return number;
  }
  return std::nullopt;
}

// The target of the name after links are followed: a path, or a descriptor that is already open.
struct Target {
  fs::path path;
  std::optional<int> open;
  bool exists = false;
  mode_t mode = 0;
  [[nodiscard]] bool is_file() const { return !open && (!exists || S_ISREG(mode)); }
};

Target find_target(const fs::path& name) {
  Target target{name, std::nullopt, false, 0};
  for (int links = 0; links < kMostLinks; ++links) {
    target.open = own_descriptor(target.path);
    if (target.open) return target;
    struct stat status = {};
    if (::lstat(target.path.c_str(), &status) != 0) return target;
    if (!S_ISLNK(status.st_mode)) {
      target.exists = true;
      target.mode = status.st_mode;
      return target;
    }
    std::error_code failed;
    const fs::path next = fs::read_symlink(target.path, failed);
    if (failed) break;
    target.path = next.is_absolute() ? next : target.path.parent_path() / next;
  }
  throw environment_error(fmt::format("cannot write {}: {}", name.string(), cause(ELOOP)));
}

// Opens for writing at the end of the existing content. Returns -1 with errno set on failure.
int open_target(const Target& target) {
  if (target.open) {
    // Shares the descriptor's offset, which opening the file again would not do.
    std::fflush(nullptr);
    return ::fcntl(*target.open, F_DUPFD_CLOEXEC, 0);
  }
  // Without O_NONBLOCK, opening a pipe without a reader would block.
  const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const int fd = ::open(target.path.c_str(), flags, 0666);
  if (fd >= 0) ::fcntl(fd, F_SETFL, O_APPEND);
  return fd;
}

void write_into(const Target& target, const fs::path& name, std::string_view content) {
  const Descriptor out(open_target(target));
  if (out.get() < 0) {
    const int code = errno;
    throw environment_error(fmt::format(
        "cannot write {}: {}", name.string(),
        code == ENXIO && S_ISFIFO(target.mode) ? "it is a pipe without a reader" : cause(code)));
  }
  try {
    write_all(out.get(), content, name);
  } catch (...) {
    // The disk is full: leave nothing behind that looks like a result.
    if (!target.open && !target.exists) ::unlink(target.path.c_str());
    throw;
  }
}

void refuse_folder(const Target& target, const fs::path& name) {
  if (target.exists && S_ISDIR(target.mode))
    throw environment_error(
        fmt::format("cannot write {}: it is a folder; name a file in it, such as {}", name.string(),
                    (name / "out").string()));
}

}  // namespace

void write_output(const fs::path& path, std::string_view content) {
  const Target target = find_target(path);
  refuse_folder(target, path);
  if (target.is_file()) {
    publish_file(target.path, content);
    // An existing file keeps its permissions.
    if (target.exists) ::chmod(target.path.c_str(), target.mode & 07777);
  } else {
    write_into(target, path, content);
  }
}

void append_output(const fs::path& path, std::string_view content) {
  const Target target = find_target(path);
  refuse_folder(target, path);
  write_into(target, path, content);
}

bool is_output_file(const fs::path& path) { return find_target(path).is_file(); }

}  // namespace warpwright
