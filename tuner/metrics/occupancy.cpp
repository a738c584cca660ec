#include "metrics/occupancy.h"

#include <algorithm>
#include <cstdint>

namespace warpwright {
namespace {

// Granularities of allocation: registers by warp, warps of a block by four, shared memory by 128
// bytes after the 1 KiB that the driver reserves in every block.
constexpr std::int64_t kRegisterUnit = 256;
constexpr std::int64_t kWarpUnit = 4;
constexpr std::int64_t kSharedUnit = 128;
constexpr std::int64_t kReservedShared = 1024;

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<double> occupancy(const EntryResources& entry, const DeviceInfo& device) {
  const bool known = entry.registers && entry.static_shared && entry.block_threads &&
                     *entry.block_threads > 0 && device.warp_size > 0 &&
                     device.max_threads_per_sm > 0 && device.max_blocks_per_sm > 0 &&
                     device.registers_per_sm > 0 && device.shared_per_sm > 0;
  if (!known) return std::nullopt;
  const std::int64_t warps = rounded_up(*entry.block_threads, device.warp_size) / device.warp_size;
  const std::int64_t most_warps = device.max_threads_per_sm / device.warp_size;
  std::int64_t blocks = std::min<std::int64_t>(device.max_blocks_per_sm, most_warps / warps);
  const std::int64_t warp_registers =
      rounded_up(std::int64_t{*entry.registers} * device.warp_size, kRegisterUnit);
  if (warp_registers > 0) {
    const std::int64_t fitting = device.registers_per_sm / warp_registers / kWarpUnit * kWarpUnit;
    blocks = std::min(blocks, fitting / warps);
  }
  const std::int64_t shared = rounded_up(
      std::int64_t{*entry.static_shared} + entry.dynamic_shared.value_or(0) + kReservedShared,
      kSharedUnit);
  blocks = std::min(blocks, device.shared_per_sm / shared);
  return static_cast<double>(blocks * warps) / static_cast<double>(most_warps);
}

}  // namespace warpwright
