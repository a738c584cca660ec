// The device memory of a trial: buffers between guard zones, the check of their content after a
// launch, and the scratch of a configuration. The patterns in them are those of
// trial/numbers/poison.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "spec/kernel_spec.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {

// Checks the content of memory after a launch with one request to the device: a round trip for each
// array and each guard zone would take longer than most launches.
class RegionCheck {
 public:
  // The region must have this checksum.
  void expect(const DeviceRegion& region, std::uint64_t checksum);
  // The region must repeat the pattern, whose first byte belongs at a multiple of 4 in the buffer.
  // Its offset need not be a multiple of 16.
  void expect_pattern(const DeviceRegion& region, std::uint32_t pattern);
  // Requests the checksum of a region; returns its index among the requested ones.
  std::size_t ask(const DeviceRegion& region);

  // Returns true when everything is as expected. The caller has to locate any difference.
  [[nodiscard]] bool run(Device& device);
  // The requested checksums, in order. Valid after run().
  [[nodiscard]] std::vector<std::uint64_t> asked() const;

 private:
  struct Pattern {
    DeviceRegion region;
    std::uint32_t pattern = 0;
  };
  std::vector<DeviceRegion> regions_;
  std::vector<std::uint64_t> expected_;  // of the regions at the same place; 0 for requested ones
  std::vector<bool> asked_;
  std::vector<Pattern> short_patterns_;
  std::vector<std::uint64_t> sums_;
};

// A device buffer between two guard zones. Writes of a kernel just outside its array land there and
// are found.
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

// The scratch of one configuration's launches. Ordinary scratch is undefined before a launch and is
// poisoned; scratch with a fill holds the fill before the first launch, and every launch has to
// leave it ready for the next. Launches of one configuration share their scratch.
class ScratchBuffers {
 public:
  // `device` must outlive this; `seed` is the seed of the inputs.
  ScratchBuffers(Device& device, std::uint64_t seed) : device_(device), seed_(seed) {}

  // The address of an argument's array, which is made, and filled if it has a fill, on first use.
  // Throws Error (user) for faults of the contract.
  [[nodiscard]] std::uint64_t address(const ArgumentSpec& argument, const Environment& environment);

  // Poisons the arrays without a fill, before a launch.
  void poison(std::uint32_t pattern);
  // Fills the arrays with a fill again.
  void fill_again();
  // Makes arrays without a fill undefined, before a launch that is checked.
  void forget();
  // The preparation of a timed sample: copies that refill the arrays with a fill, and the other
  // arrays, whose content is meaningless.
  [[nodiscard]] std::vector<RestoreCopy> restores();
  [[nodiscard]] std::vector<PoisonedRegion> poisoned() const;
  // Adds the regions that damage() checks.
  void add_zones(RegionCheck& check) const;
  // A sentence about a write outside of an array; nullopt if there was none.
  [[nodiscard]] std::optional<std::string> damage() const;

  // The total bytes of all arrays.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] bool any_filled() const { return !filled_names().empty(); }
  // The names of arrays with a fill, as in "'counter' and 'flags'"; "" without any.
  [[nodiscard]] std::string filled_names() const;

 private:
  struct Buffer {
    std::unique_ptr<GuardedBuffer> array;
    std::vector<std::byte> content;                // the fill; empty without one
    std::unique_ptr<GuardedBuffer> pristine = {};  // the same on the device, once requested
  };

  Device& device_;
  const std::uint64_t seed_;
  std::vector<Buffer> buffers_;
};

}  // namespace warpwright
