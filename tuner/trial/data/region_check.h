// Checks the content of memory after a launch with one request to the device: a round trip for each
// array and each guard zone would take longer than most launches.
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

}  // namespace warpwright
