#include "workers/device_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/words.h"
#include "terminal/numbers.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

// How often a waiting process tries again; this delay is negligible for a sweep.
constexpr std::chrono::milliseconds kAskInterval{200};
// An upper bound on the size of our lock files.
constexpr std::size_t kMaxBytes = 4096;
constexpr std::size_t kMaxOfCommand = 200;

// Thrown when a file cannot be locked; not a fault of the process that measures.
struct NoLock {
  std::string why;
};

NoLock cannot(const char* what, const fs::path& file) {
  return {fmt::format("cannot {} {}: {}", what, file.string(), std::strerror(errno))};
}

// An existing file is opened without O_CREAT: in folders with the sticky bit, the kernel refuses
// that flag for other users' files (fs.protected_regular). A link or a pipe in place of the file is
// not followed.
int open_or_make(const fs::path& file) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  while (true) {
    int fd = ::open(file.c_str(), kFlags);
    if (fd >= 0 || errno != ENOENT) return fd;
    fd = ::open(file.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
    if (fd >= 0) {
      // The mode must not depend on the umask: the next owner may be another user, and records
      // itself in the file.
      (void)::fchmod(fd, 0666);
      return fd;
    }
    if (errno != EEXIST) return fd;
  }
}

std::unique_ptr<Descriptor> open_lock(const fs::path& file) {
  auto opened = std::make_unique<Descriptor>(open_or_make(file));
  if (opened->get() < 0) throw cannot("open", file);
  struct stat about = {};
  if (::fstat(opened->get(), &about) != 0) throw cannot("look at", file);
  // Nothing may be written to another file that was linked here.
  if (!S_ISREG(about.st_mode) || about.st_nlink > 1)
    throw NoLock{fmt::format("{} is not a regular file with one link", file.string())};
  return opened;
}

// Returns whether the locked file still has its name: a cleaner of /tmp may have removed it.
bool is_current(const Descriptor& file, const fs::path& name) {
  struct stat locked = {}, named = {};
  return ::fstat(file.get(), &locked) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

std::optional<LockOwner> read_owner(const Descriptor& file) {
  std::array<char, kMaxBytes> text;
  const ssize_t bytes = ::pread(file.get(), text.data(), text.size(), 0);
  if (bytes <= 0) return std::nullopt;
  const auto json = nlohmann::json::parse(text.data(), text.data() + bytes, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  LockOwner owner;
  try {
    owner.process = json.at("process").get<long>();
    owner.user = json.at("user").get<std::string>();
    owner.since = json.at("since").get<std::string>();
    owner.command = json.at("command").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return owner;
}

// On a full disk, others lack the message, but the lock still works.
void write_owner(const Descriptor& file, const LockOwner& owner) {
  const bool cut = owner.command.size() > kMaxOfCommand;
  const nlohmann::json json = {
      {"process", owner.process},
      {"user", owner.user},
      {"since", owner.since},
      {"command", owner.command.substr(0, kMaxOfCommand) + (cut ? "..." : "")}};
  const std::string text =
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (::ftruncate(file.get(), 0) != 0) return;
  (void)!::pwrite(file.get(), text.data(), text.size(), 0);
}

// Returns "" when this process now has the lock, else its owner.
std::string try_lock(std::unique_ptr<Descriptor>& file, const fs::path& name) {
  while (true) {
    file = open_lock(name);
    if (::flock(file->get(), LOCK_EX | LOCK_NB) == 0) {
      if (is_current(*file, name)) return "";
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) throw cannot("lock", name);
    const std::optional<LockOwner> owner = read_owner(*file);
    return owner ? owner->describe() : "another process";
  }
}

std::string name_of(const DeviceInfo& device) {
  return fmt::format("{} ({})", device.id, device.name);
}

Error in_use(const DeviceInfo& device, const std::string& who, const std::string& fix) {
  return environment_error(fmt::format(
      "{} is in use by {}; two that measure at once disturb each other: {}, or choose another "
      "device with --device",
      name_of(device), who, fix));
}

}  // namespace

std::string LockOwner::describe() const {
  return fmt::format("process {} of {} since {} ({})", process, user, since, command);
}

fs::path lock_file(const fs::path& folder, const DeviceInfo& device) {
  std::string name = device.uuid;
  for (char& c : name)
    if (!is_word(c) && c != '-' && c != '.') c = '_';
  return folder / ("warpwright-" + name + ".lock");
}

std::optional<LockOptions> lock_options_from_environment() {
  LockOptions options;
  const char* wanted = std::getenv("WARPWRIGHT_LOCK");
  const std::string which = wanted == nullptr || *wanted == '\0' ? "gpu" : wanted;
  if (which == "off") return std::nullopt;
  if (which != "gpu" && which != "all") {
    throw user_error(fmt::format(
        "WARPWRIGHT_LOCK: got '{}', expected gpu, all (emulated devices too) or off", which));
  }
  options.emulated = which == "all";
  const char* folder = std::getenv("WARPWRIGHT_LOCK_FOLDER");
  const bool named = folder != nullptr && *folder != '\0';
  options.folder = named ? folder : "/tmp";
  std::error_code ignored;
  if (named && !fs::is_directory(options.folder, ignored)) {
    throw user_error(fmt::format(
        "WARPWRIGHT_LOCK_FOLDER: got '{}', which is not a folder; expected one that all users of "
        "this machine may write to, or nothing for /tmp",
        folder));
  }
  return options;
}

DeviceLocks::DeviceLocks(std::vector<DeviceInfo> devices, const LockOptions& options) {
  std::erase_if(devices,
                [&](const DeviceInfo& device) { return !device.has_clock && !options.emulated; });
  std::sort(devices.begin(), devices.end(),
            [](const DeviceInfo& one, const DeviceInfo& other) { return one.uuid < other.uuid; });
  const Clock::time_point began = Clock::now();
  for (const DeviceInfo& device : devices) {
    const fs::path name = lock_file(options.folder, device);
    std::unique_ptr<Descriptor> file;
    std::string told;
    try {
      while (true) {
        const std::string who = try_lock(file, name);
        if (who.empty()) break;
        if (!options.wait) throw in_use(device, who, "wait for its end with --wait");
        if (options.longest && Clock::now() - began >= *options.longest) {
          const double waited = std::chrono::duration<double>(*options.longest).count();
          throw in_use(
              device, who,
              fmt::format("--wait was over after {}; give it longer", format_duration(waited)));
        }
        if (std::exchange(told, who) != who)
          options.say(fmt::format("waiting for {}, which is in use by {}", name_of(device), who));
        std::this_thread::sleep_for(kAskInterval);
      }
    } catch (const NoLock& none) {
      options.say(fmt::format("{} is not locked against others that measure: {}", name_of(device),
                              none.why));
      continue;
    }
    write_owner(*file, options.owner);
    files_.push_back(std::move(file));
  }
}

// Clears the record, so that the next owner is not mistaken for this one before it has written its
// own.
DeviceLocks::~DeviceLocks() {
  for (const std::unique_ptr<Descriptor>& file : files_) (void)!::ftruncate(file->get(), 0);
}

}  // namespace warpwright
