// A device buffer between two guard zones. Writes of a kernel just outside its array land there and
// are found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "trial/data/region_check.h"

namespace warpwright {

class GuardedBuffer {
 public:
  // Bytes on either side; a multiple of every alignment that vector loads and TMA require. Devices
  // that check bounds themselves get no guard zones, because a zone would turn their precise fault
  // into a late one.
  static constexpr std::size_t kGuardBytes = 4096;
  [[nodiscard]] static std::size_t guard_bytes(const Device& device) {
    return device.checks_bounds() ? 0 : kGuardBytes;
  }

  GuardedBuffer(Device& device, std::size_t bytes, std::string name);

  // Adds the regions that damage() checks.
  void add_zones(RegionCheck& check) const;
  [[nodiscard]] DeviceRegion array() const { return {buffer_.get(), guard_, bytes_}; }
  // The address of the array, not of the zone before it.
  [[nodiscard]] std::uint64_t address() const { return buffer_->address() + guard_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  void upload(std::span<const std::byte> content);
  void download(std::span<std::byte> to, std::size_t offset = 0) const;
  void poison(std::uint32_t pattern);
  // Changes about one word of four bytes in sixteen, at least one if the array has any, so that
  // numbers stay plausible but are wrong. The seed determines which ones.
  void falsify_some(std::uint64_t seed);
  [[nodiscard]] PoisonedRegion poisoned() const { return {buffer_.get(), guard_, bytes_}; }
  // The array and the bytes after it up to a multiple of eight, the unit in which a device sums.
  [[nodiscard]] DeviceRegion summed() const;
  // Device's functions of these names, applied to the array.
  [[nodiscard]] std::optional<bool> accessed() const { return device_->accessed(*buffer_); }
  [[nodiscard]] std::optional<UnwrittenBytes> unwritten() const {
    return device_->unwritten(*buffer_, guard_, bytes_);
  }
  // The array's content is undefined until it is written (Device::forget).
  void forget();
  // Resets the buffer to its initial state: the zones whole again, the array without content.
  void clear();
  // Copies array and zones from a buffer of the same size.
  void copy_from(const GuardedBuffer& other);
  [[nodiscard]] RestoreCopy restore_from(const GuardedBuffer& other);
  [[nodiscard]] std::uint64_t checksum() const;

  // nullopt when both zones are whole, else a sentence with the side and the distance of the
  // nearest damaged byte.
  [[nodiscard]] std::optional<std::string> damage() const;

 private:
  Device* device_;
  std::size_t bytes_;
  std::size_t guard_;
  std::string name_;
  std::unique_ptr<DeviceBuffer> buffer_;
};

}  // namespace warpwright
