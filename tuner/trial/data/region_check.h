// What memory has to hold after a launch, asked of the device at once: a round trip for each array
// and each guard zone would take longer than most launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device.h"

namespace warpwright {

class RegionCheck {
 public:
  // The region must have this checksum.
  void expect(const DeviceRegion& region, std::uint64_t checksum);
  // The region must repeat the pattern, whose first byte belongs at a multiple of 4 in the buffer.
  // Its offset need not be a multiple of 16.
  void expect_pattern(const DeviceRegion& region, std::uint32_t pattern);
  // Asks for the checksum of a region; the result is its place among those asked for.
  std::size_t ask(const DeviceRegion& region);

  // True when everything is as expected. What is not is for the caller to find.
  [[nodiscard]] bool run(Device& device);
  // After run(), in the order asked.
  [[nodiscard]] std::vector<std::uint64_t> asked() const;

 private:
  struct Pattern {
    DeviceRegion region;
    std::uint32_t pattern = 0;
  };
  std::vector<DeviceRegion> regions_;
  std::vector<std::uint64_t> expected_;  // of the regions at the same place; of those asked for, 0
  std::vector<bool> asked_;
  std::vector<Pattern> short_patterns_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace warpwright
