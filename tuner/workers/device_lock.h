// One process at a time measures on a GPU: a lock by its UUID that all users of a machine share. It
// is the kernel's (flock) on a file that stays behind: whatever ends its owner, kill -9 too, frees
// it. The file holds who has it, for messages alone. Devices without a clock need no lock: others
// make them slower and their counts no different.
// tuner/decisions/0020-a-lock-in-tmp.md says why there.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "records/device_info.h"

namespace warpwright {

// Who has a device, as written by the owner. Others may have written it: printed, never obeyed.
struct LockOwner {
  long process = 0;
  std::string user;
  std::string since;  // UTC, "2026-03-01T12:00:00Z"
  std::string command;

  // "process 4711 of ada since 2026-03-01T12:00:00Z (warpwright sweep x.yaml)"
  [[nodiscard]] std::string describe() const;
};

struct LockOptions {
  std::filesystem::path folder;
  bool emulated = false;                             // lock devices without a clock as well
  LockOwner owner;                                   // this process
  bool wait = false;                                 // for the end of others
  std::optional<std::chrono::milliseconds> longest;  // of the wait for all devices; nullopt: none
  // A line for people: for whom this waits, again where another takes over, and why a device could
  // not be locked.
  std::function<void(const std::string& line)> say = [](const std::string&) {};
};

// Where locks lie and of what: the folder is $WARPWRIGHT_LOCK_FOLDER, else /tmp;
// $WARPWRIGHT_LOCK is "gpu" (as if unset), "off" or "all", which counts emulated devices in.
// nullopt where it is off. Throws Error (user) on other values and on a folder that is none.
[[nodiscard]] std::optional<LockOptions> lock_options_from_environment();

// The devices that this process has to itself, until the object ends.
class DeviceLocks {
 public:
  // Takes all of them, in the order of their UUIDs so that two who wait for several cannot wait for
  // each other. Where the folder or its file system takes no locks, that is said and the work goes
  // on. Throws Error (environment) when another process has one, or the wait is over: none is held
  // then.
  DeviceLocks(std::vector<DeviceInfo> devices, const LockOptions& options);
  ~DeviceLocks();
  DeviceLocks(const DeviceLocks&) = delete;
  DeviceLocks& operator=(const DeviceLocks&) = delete;

  [[nodiscard]] std::size_t held() const { return files_.size(); }

 private:
  std::vector<std::unique_ptr<Descriptor>> files_;
};

// The file that stands for a device: warpwright-GPU-….lock.
[[nodiscard]] std::filesystem::path lock_file(const std::filesystem::path& folder,
                                              const DeviceInfo& device);

}  // namespace warpwright
