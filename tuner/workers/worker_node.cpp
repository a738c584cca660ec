#include "workers/worker_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/words.h"

namespace warpwright {
namespace {

std::vector<DeviceInfo> chosen_on(const WorkerNode& node, const std::string& wanted) {
  const bool sees_gpus = node.devices.why_no_cuda.empty();
  try {
    return select_devices(node.devices, wanted == "auto" && sees_gpus ? "cuda:all" : wanted);
  } catch (Error& error) {
    throw error.add_context(node.name);
  }
}

// Maps each GPU (host and UUID) to the nodes that see it, in their order.
using Seers = std::map<std::pair<std::string, std::string>, std::vector<std::size_t>>;

}  // namespace

std::vector<NodeDevice> select_node_devices(const std::vector<WorkerNode>& nodes,
                                            const std::string& wanted) {
  std::vector<std::vector<DeviceInfo>> chosen;
  Seers seers;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    chosen.push_back(chosen_on(nodes[node], wanted));
    for (const DeviceInfo& device : chosen[node])
      if (device.has_clock) seers[{nodes[node].host, device.uuid}].push_back(node);
  }
  // GPUs that few nodes see are assigned first: the others have alternatives.
  std::vector<std::pair<std::string, std::string>> order;
  for (const auto& [gpu, by] : seers) order.push_back(gpu);
  std::stable_sort(order.begin(), order.end(), [&](const auto& one, const auto& other) {
    return seers[one].size() < seers[other].size();
  });
  std::vector<std::size_t> dealt(nodes.size());
  std::map<std::pair<std::string, std::string>, std::size_t> owner;
  for (const auto& gpu : order) {
    const std::vector<std::size_t>& by = seers[gpu];
    const std::size_t to = *std::min_element(
        by.begin(), by.end(), [&](std::size_t a, std::size_t b) { return dealt[a] < dealt[b]; });
    owner[gpu] = to;
    ++dealt[to];
  }
  std::vector<NodeDevice> devices;
  std::map<std::string, int> named;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (DeviceInfo& device : chosen[node]) {
      if (device.has_clock && owner[{nodes[node].host, device.uuid}] != node) continue;
      NodeDevice placed{node, std::move(device), ""};
      placed.id =
          placed.device.has_clock ? nodes[node].host + "/" + placed.device.id : placed.device.id;
      ++named[placed.id];
      devices.push_back(std::move(placed));
    }
  }
  // Ranks that see one GPU each all call it cuda:0, so these ids need the rank's name.
  for (NodeDevice& placed : devices)
    if (placed.device.has_clock && named[placed.id] > 1)
      placed.id = fmt::format("{}/{}", nodes[placed.node].name, placed.device.id);
  return devices;
}

std::vector<std::string> describe_nodes(const std::vector<WorkerNode>& nodes,
                                        const std::vector<NodeDevice>& devices) {
  std::set<std::string> hosts;
  for (const WorkerNode& node : nodes) hosts.insert(node.host);
  std::map<std::string, int> times;
  std::set<std::size_t> busy;
  for (const NodeDevice& placed : devices) {
    ++times[placed.id];
    busy.insert(placed.node);
  }
  std::vector<std::string> names;
  for (const auto& [id, count] : times)
    names.push_back(count == 1 ? id : fmt::format("{} ({} times)", id, count));
  std::vector<std::string> lines = {fmt::format(
      "{} on {} work{} on {}", plural(nodes.size(), "rank"), plural(hosts.size(), "host"),
      nodes.size() == 1 ? "s" : "", fmt::join(names, ", "))};
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!busy.contains(node))
      lines.push_back(fmt::format(
          "{} has no device of its own, and only compiles: others of its host have them all",
          nodes[node].name));
  }
  return lines;
}

}  // namespace warpwright
