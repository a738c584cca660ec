// Other machines on which workers run: what each has, and how something is started there. How they
// are reached is decided above (nodes/); sweeps only see this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/process/worker_process.h"
#include "workers/device_lock.h"
#include "workers/device_query.h"

namespace warpwright {

struct WorkerNode {
  std::string name;                               // "rank 2 on node7"
  std::string host;                               // "node7"; several may be on one
  int cores = 1;                                  // its part of the host's
  std::optional<std::uint64_t> available_memory;  // likewise
  std::string memory_setting;                     // WARPWRIGHT_MEMORY_LIMIT there
  DeviceList devices;                             // all that it sees
  WorkerLauncher start;
  // Locks devices there until the sweep ends, as DeviceLocks does and says.
  std::function<void(const std::vector<DeviceInfo>& devices, const LockOptions& options)> claim;
};

class WorkerNodes {
 public:
  virtual ~WorkerNodes() = default;
  // Asks all of them what they have; once. Throws Error (environment) when one cannot take part.
  [[nodiscard]] virtual const std::vector<WorkerNode>& gather() = 0;
  // From then on, and of those that are lost already: told once for each, from any thread. `last`
  // when none is left. Null ends it.
  virtual void on_lost(std::function<void(const std::string& line, bool last)> told) = 0;
};

// A device on one of the nodes. `device.id` is the one there; `id` names it among all.
struct NodeDevice {
  std::size_t node = 0;
  DeviceInfo device;
  std::string id;  // "node7/cuda:0"; of an emulated device "emu:sm_90a", which is the same anywhere
};

// What --device chooses on each node, as select_devices() does; "auto" is all GPUs that a node
// sees, else the usual emulated device. Nodes of one host share out GPUs that several of them see:
// each GPU goes to the one that has the fewest so far. Throws Error (user).
[[nodiscard]] std::vector<NodeDevice> select_node_devices(const std::vector<WorkerNode>& nodes,
                                                          const std::string& wanted);

// Lines for people: who works on what, and who has nothing but compilers.
[[nodiscard]] std::vector<std::string> describe_nodes(const std::vector<WorkerNode>& nodes,
                                                      const std::vector<NodeDevice>& devices);

}  // namespace warpwright
