// Other machines on which workers run: their resources, and how to start a worker there.
// Communication with them is implemented above (nodes/); sweeps see only this interface.
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
  int cores = 1;                                  // its share of the host's
  std::optional<std::uint64_t> available_memory;  // its share, too
  std::string memory_setting;                     // WARPWRIGHT_MEMORY_LIMIT there
  DeviceList devices;                             // all devices it sees
  WorkerLauncher start;
  // Locks devices there until the sweep ends, as DeviceLocks does, with the same messages.
  std::function<void(const std::vector<DeviceInfo>& devices, const LockOptions& options)> claim;
};

class WorkerNodes {
 public:
  virtual ~WorkerNodes() = default;
  // Queries the resources of all nodes; once. Throws Error (environment) when one cannot take part.
  [[nodiscard]] virtual const std::vector<WorkerNode>& gather() = 0;
  // Calls `told` once for each lost node, including those already lost, from any thread. `last` is
  // true when no node is left. Null ends the calls.
  virtual void on_lost(std::function<void(const std::string& line, bool last)> told) = 0;
};

// A device on one of the nodes. `device.id` is its id on that node; `id` identifies it among all
// nodes.
struct NodeDevice {
  std::size_t node = 0;
  DeviceInfo device;
  std::string id;  // "node7/cuda:0"; "emu:sm_90a" for an emulated device, on any node
};

// Selects the devices that --device names on each node, as select_devices() does; "auto" is all
// GPUs that a node sees, else the usual emulated device. If several nodes of one host see the same
// GPUs, the GPUs are divided among them: each GPU goes to the node that has the fewest so far.
// Throws Error (user).
[[nodiscard]] std::vector<NodeDevice> select_node_devices(const std::vector<WorkerNode>& nodes,
                                                          const std::string& wanted);

// Returns lines for the user: the devices that the nodes work on, and the nodes that only compile.
[[nodiscard]] std::vector<std::string> describe_nodes(const std::vector<WorkerNode>& nodes,
                                                      const std::vector<NodeDevice>& devices);

}  // namespace warpwright
