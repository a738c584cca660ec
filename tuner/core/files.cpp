#include "core/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "core/error.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) { return std::generic_category().message(code); }

// Formats the one message for every kind of failed write, with a remedy if there is a usual one.
Error write_error(const fs::path& path, int code) {
  std::string_view fix;
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      fix = "; free some space or choose another place";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      fix = "; check the permissions or choose another place";
      break;
    case ENOENT:
    case ENOTDIR:
      fix = "; create its folder first";
      break;
    default:
      break;
  }
  return environment_error(fmt::format("cannot write {}: {}{}", path.string(), reason(code), fix));
}

// The size limit of texts that are read as a whole; results with millions of trials take a tenth of
// it.
constexpr std::uint64_t kLargestFile = std::uint64_t{2} << 30;

Error too_large(const fs::path& path) {
  return user_error(fmt::format("{} is larger than {} GiB, the most that is read of a file",
                                path.string(), kLargestFile >> 30));
}

// Removes a file unless it has been published.
class PartialFile {
 public:
  explicit PartialFile(fs::path path) : path_(std::move(path)) {}
  ~PartialFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  void published() { path_.clear(); }

 private:
  fs::path path_;
};

// Part of the names of folders that are locked while in use.
constexpr std::string_view kLockedMark = ".locked.";

// A name that other processes and threads are unlikely to use; the caller creates it with O_EXCL
// and tries again on a clash.
fs::path partial_name(const fs::path& target) {
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  fs::path name = target;
  name += fmt::format(".{}.{:x}{}", ::getpid(), ticks, kPartialExtension);
  return name;
}

// Returns 0, or the errno of a failed write.
int put_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

void refuse_unless_regular(const fs::path& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  throw user_error(fmt::format("{} is {}, expected a {}file{}", path.string(), kind_of(mode),
                               S_ISDIR(mode) ? "" : "regular ",
                               S_ISDIR(mode) ? "" : "; copy its content into one first"));
}

// Reads to the end instead of trusting the size: files in /proc report none. Reading anything but a
// regular file may block or never end.
std::optional<std::string> read_or_missing(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    if (errno == ENXIO) refuse_unless_regular(path, S_IFSOCK);
    throw environment_error(fmt::format("cannot read {}: {}", path.string(), reason(errno)));
  }
  std::string content;
  struct stat status = {};
  if (::fstat(file.get(), &status) == 0) {
    refuse_unless_regular(path, status.st_mode);
    if (static_cast<std::uint64_t>(status.st_size) > kLargestFile) throw too_large(path);
    content.reserve(static_cast<std::size_t>(status.st_size));
  }
  std::vector<char> block(1 << 16);
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got == 0) return content;
    if (got > 0) {
      if (content.size() + static_cast<std::size_t>(got) > kLargestFile) throw too_large(path);
      content.append(block.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      throw environment_error(fmt::format("cannot read {}: {}", path.string(), reason(errno)));
    }
  }
}

// Returns true if `below` exists in the folder `root` and is writable, or could be created there.
bool may_make(const fs::path& root, const fs::path& below) {
  std::error_code ignored;
  if (!fs::is_directory(root, ignored)) return false;
  fs::path nearest = root / below;
  while (nearest != root && !fs::exists(nearest, ignored)) nearest = nearest.parent_path();
  return ::access(nearest.c_str(), W_OK | X_OK) == 0;
}

// Creates a folder within a world-writable one. It must belong to this user alone, or others could
// put code into it.
fs::path private_folder(const fs::path& path) {
  struct stat status = {};
  const bool made = ::mkdir(path.c_str(), 0700) == 0;
  if (made || (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
               status.st_uid == ::geteuid() && (status.st_mode & 022) == 0))
    return path;
  throw environment_error(
      fmt::format("{} cannot hold the cache: it is not this user's own folder; set "
                  "WARPWRIGHT_CACHE to a folder that is",
                  path.string()));
}

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void require_regular_file(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) refuse_unless_regular(path, status.st_mode);
}

std::string read_file(const fs::path& path) {
  std::optional<std::string> content = read_or_missing(path);
  if (!content) throw user_error(fmt::format("no such file: {}", path.string()));
  return *std::move(content);
}

std::optional<std::string> read_file_if_present(const fs::path& path) {
  return read_or_missing(path);
}

void make_folder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return;
  const int code = failed ? failed.value() : ENOTDIR;
  std::string_view fix;
  if (code == ENOSPC || code == EDQUOT) fix = "; free some space or choose another place";
  if (code == EACCES || code == EPERM || code == EROFS)
    fix = "; check the permissions or choose another place";
  if (code == ENOTDIR || code == EEXIST)
    fix = "; a file is in its place, or in that of a folder above it: choose another place";
  throw environment_error(
      fmt::format("cannot make the folder {}: {}{}", path.string(), reason(code), fix));
}

void write_all(int descriptor, std::string_view content, const fs::path& path) {
  if (const int code = put_all(descriptor, content); code != 0) throw write_error(path, code);
}

std::error_code try_publish_file(const fs::path& path, std::string_view content) {
  fs::path name = partial_name(path);
  int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  while (fd < 0 && errno == EEXIST) {
    name = partial_name(path);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  const auto failed = [](int code) { return std::error_code(code, std::generic_category()); };
  if (fd < 0) return failed(errno);
  Descriptor file(fd);
  PartialFile partial(name);
  if (const int code = put_all(file.get(), content); code != 0) return failed(code);
  // Without this, a crash of the machine can leave an empty file under the new name.
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) return failed(errno);
  if (!file.close_now()) return failed(errno);
  if (::rename(partial.path().c_str(), path.c_str()) != 0) return failed(errno);
  partial.published();
  return {};
}

void publish_file(const fs::path& path, std::string_view content) {
  if (const std::error_code failed = try_publish_file(path, content))
    throw write_error(path, failed.value());
  // Makes the rename itself durable. Best effort, because some file systems do not allow opening
  // folders.
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) (void)::fsync(parent.get());
}

void remove_abandoned_folders(const fs::path& root) {
  std::error_code ignored;
  for (fs::directory_iterator it(root, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with("warpwright") || name.find(kLockedMark) == std::string::npos) continue;
    // Do not follow links, and reject files of other users.
    const Descriptor folder(
        ::open(it->path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status = {};
    if (folder.get() < 0 || ::fstat(folder.get(), &status) != 0 || status.st_uid != ::geteuid())
      continue;
    if (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code failed;
    fs::remove_all(it->path(), failed);
  }
}

TemporaryFolder::TemporaryFolder(std::string_view prefix) {
  std::error_code ignored;
  fs::path root = fs::temp_directory_path(ignored);
  if (root.empty()) root = "/tmp";
  static std::once_flag swept;
  std::call_once(swept, [&] { remove_abandoned_folders(root); });
  constexpr int kMaxTries = 100;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    std::string name = (root / fmt::format("{}{}XXXXXX", prefix, kLockedMark)).string();
    if (::mkdtemp(name.data()) == nullptr) break;
    lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Another process may have removed it as abandoned before it was locked.
    const bool locked =
        lock_ >= 0 && (::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
    if (locked && fs::is_directory(name, ignored)) {
      path_ = name;
      return;
    }
    if (lock_ >= 0) ::close(lock_);
    lock_ = -1;
  }
  throw environment_error(
      fmt::format("cannot create a folder in {}: {}; set TMPDIR to a writable place", root.string(),
                  reason(errno)));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

fs::path cache_root() {
  if (const std::string own = environment_variable("WARPWRIGHT_CACHE"); !own.empty()) return own;
  // The XDG rules require that a relative path is ignored.
  if (const fs::path xdg = environment_variable("XDG_CACHE_HOME"); xdg.is_absolute()) {
    return xdg / "warpwright";
  }
  // Service users may have a home that does not exist or is not writable.
  const std::string home = environment_variable("HOME");
  if (!home.empty() && may_make(home, ".cache/warpwright"))
    return fs::path(home) / ".cache" / "warpwright";
  return private_folder(fs::path("/tmp") / fmt::format("warpwright-{}", ::geteuid()));
}

fs::path own_executable() {
  std::error_code code;
  fs::path path = fs::read_symlink("/proc/self/exe", code);
  if (code) {
    throw environment_error(
        fmt::format("cannot find the running program: /proc/self/exe: {}", code.message()));
  }
  return path;
}

namespace {

namespace fs = std::filesystem;

// The limit of the kernel.
constexpr int kMaxLinks = 40;

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
  for (int links = 0; links < kMaxLinks; ++links) {
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
