// --wait, and the devices that a verb has to itself while it measures (workers/device_lock.h).
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
  // Has the devices until this object ends; those of a node until the sweep does. Throws Error
  // (environment) when another process has one, and Error (user) on a time that is none.
  void take(const std::vector<DeviceInfo>& devices, const GlobalOptions& global,
            const WorkerNode* node = nullptr);

 private:
  std::string longest_;
  const CLI::Option* given_ = nullptr;
  std::unique_ptr<DeviceLocks> locks_;
};

}  // namespace warpwright
