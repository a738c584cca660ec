#include "emu/exec/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::emu {

std::uint64_t count(const std::array<std::uint32_t, 3>& shape) {
  return std::uint64_t{shape[0]} * shape[1] * shape[2];
}

namespace {

LaunchFault invalid(std::string message) {
  LaunchFault fault;
  fault.kind = FaultKind::kInvalidLaunch;
  fault.message = std::move(message);
  return fault;
}

std::optional<LaunchFault> check_cluster(const DeviceModel& device, const Launch& launch,
                                         const Module::Entry& entry) {
  const std::array<std::uint32_t, 3> shape = cluster_shape(launch, entry);
  if (count(launch.cluster) > 1 && launch.cluster != shape) {
    return invalid(fmt::format(
        "a launch in clusters of ({},{},{}), but '{}' was compiled for clusters of ({},{},{})",
        launch.cluster[0], launch.cluster[1], launch.cluster[2], entry.name, shape[0], shape[1],
        shape[2]));
  }
  // 16 needs cudaFuncAttributeNonPortableClusterSizeAllowed on Hopper.
  const std::uint64_t limit = device.compute_capability < 90    ? 1
                              : device.compute_capability < 120 ? 16
                                                                : 8;
  if (count(shape) == 0 || count(shape) > limit) {
    return invalid(
        fmt::format("a cluster of {} blocks; {} allows 1 to {}", count(shape), device.arch, limit));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (launch.grid[axis] % shape[axis] == 0) continue;
    return invalid(fmt::format("a grid of {} blocks along {} is not a multiple of the cluster's {}",
                               launch.grid[axis], "xyz"[axis], shape[axis]));
  }
  return std::nullopt;
}

}  // namespace

std::array<std::uint32_t, 3> cluster_shape(const Launch& launch, const Module::Entry& entry) {
  if (entry.required_cluster[0] == 0) return launch.cluster;
  return {static_cast<std::uint32_t>(entry.required_cluster[0]),
          static_cast<std::uint32_t>(std::max(entry.required_cluster[1], 1)),
          static_cast<std::uint32_t>(std::max(entry.required_cluster[2], 1))};
}

std::optional<LaunchFault> check_launch(const DeviceModel& device, const Launch& launch,
                                        const Module::Entry* entry) {
  if (entry == nullptr) return invalid(fmt::format("the module has no entry '{}'", launch.entry));
  const std::uint64_t threads = count(launch.block);
  const auto limit = static_cast<std::uint64_t>(device.max_threads_per_block);
  if (threads == 0 || count(launch.grid) == 0)
    return invalid("the launch has an empty grid or block");
  if (threads > limit) {
    return invalid(fmt::format("a block of {} threads exceeds the {} that {} allows", threads,
                               limit, device.arch));
  }
  const std::uint64_t declared = static_cast<std::uint64_t>(entry->max_threads[0]) *
                                 static_cast<std::uint64_t>(entry->max_threads[1]) *
                                 static_cast<std::uint64_t>(entry->max_threads[2]);
  if (declared != 0 && threads > declared) {
    return invalid(fmt::format("a block of {} threads exceeds the {} of __launch_bounds__ on '{}'",
                               threads, declared, entry->name));
  }
  const std::size_t shared = entry->static_shared_bytes + launch.dynamic_shared_bytes;
  if (shared > static_cast<std::size_t>(device.max_shared_per_block)) {
    return invalid(fmt::format(
        "{} bytes of shared memory ({} static and {} dynamic) exceed the {} that {} allows", shared,
        entry->static_shared_bytes, launch.dynamic_shared_bytes, device.max_shared_per_block,
        device.arch));
  }
  if (launch.parameters.size() != entry->parameter_bytes) {
    return invalid(fmt::format("'{}' takes {} bytes of parameters, got {}", entry->name,
                               entry->parameter_bytes, launch.parameters.size()));
  }
  return check_cluster(device, launch, *entry);
}

int registers_per_thread(const Launch& launch, std::uint32_t threads) {
  constexpr std::uint32_t kRegisters = 65536;
  if (launch.registers_per_thread > 0) return launch.registers_per_thread;
  return static_cast<int>(std::min<std::uint32_t>(kRegisters / threads / 8 * 8, 255));
}

}  // namespace warpwright::emu
