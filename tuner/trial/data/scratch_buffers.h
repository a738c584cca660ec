// The scratch of one configuration's launches. Ordinary scratch is undefined before a launch and is
// poisoned; scratch with a fill holds the fill before the first launch, and every launch has to
// leave it ready for the next. Launches of one configuration share their scratch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "spec/kernel_spec.h"
#include "trial/data/guarded_buffer.h"
#include "trial/launch_plan.h"

namespace warpwright {

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
