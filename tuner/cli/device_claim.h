// The option --wait, and the locks on devices that a verb uses exclusively while it measures
// (workers/device_lock.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workers/device_lock.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace warpwright {

struct GlobalOptions;
struct WorkerNode;

class DeviceClaim {
 public:
  // Adds --wait.
  void add_option(CLI::App& verb);
  // Locks the devices until this object is destroyed, and those of a node until the sweep ends.
  // Throws Error (environment) when another process holds one, and Error (user) on an invalid time.
  void take(const std::vector<DeviceInfo>& devices, const GlobalOptions& global,
            const WorkerNode* node = nullptr);

 private:
  std::string longest_;
  const CLI::Option* given_ = nullptr;
  std::unique_ptr<DeviceLocks> locks_;
};

}  // namespace warpwright
