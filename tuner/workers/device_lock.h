// Ensures that one process at a time measures on a GPU: a lock by the GPU's UUID that all users of
// a machine share. It is a lock of the kernel (flock) on a file that stays behind, so it is
// released whenever its owner ends, even by kill -9. The file names the owner, only for messages.
// Devices without a clock need no lock: other processes make them slower but do not change their
// counts. The location is explained in tuner/decisions/0020-a-lock-in-tmp.md.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/files.h"
#include "records/device_info.h"

namespace warpwright {

// The owner of a device's lock, as recorded by the owner. The record may be forged, so it is only
// printed.
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
  bool wait = false;                                 // wait for other owners to end
  std::optional<std::chrono::milliseconds> longest;  // for all devices; nullopt: no limit
  // Receives a line for the user: the process that this one waits for, a new owner that takes over
  // meanwhile, and why a device could not be locked.
  std::function<void(const std::string& line)> say = [](const std::string&) {};
};

// Reads the folder of locks and the devices to lock: the folder is $WARPWRIGHT_LOCK_FOLDER, else
// /tmp; $WARPWRIGHT_LOCK is "gpu" (as if unset), "off" or "all", which includes emulated devices.
// nullopt if it is off. Throws Error (user) on other values and on a folder that is not one.
[[nodiscard]] std::optional<LockOptions> lock_options_from_environment();

// Holds devices for exclusive use by this process until the object is destroyed.
class DeviceLocks {
 public:
  // Locks all of them, in the order of their UUIDs, so that two processes that wait for several
  // devices cannot deadlock. If the folder or its file system does not support locks, this is
  // reported and the work goes on. Throws Error (environment) when another process has one, or when
  // the wait is over: none is held then.
  DeviceLocks(std::vector<DeviceInfo> devices, const LockOptions& options);
  ~DeviceLocks();
  DeviceLocks(const DeviceLocks&) = delete;
  DeviceLocks& operator=(const DeviceLocks&) = delete;

  [[nodiscard]] std::size_t held() const { return files_.size(); }

 private:
  std::vector<std::unique_ptr<Descriptor>> files_;
};

// Returns the lock file of a device: warpwright-GPU-….lock.
[[nodiscard]] std::filesystem::path lock_file(const std::filesystem::path& folder,
                                              const DeviceInfo& device);

}  // namespace warpwright
