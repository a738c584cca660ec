// The scratch of one configuration's launches. Ordinary scratch is undefined before a launch and is
// poisoned; scratch with a fill holds it before the first launch, and every launch has to leave it
// ready for the next. Launches of one configuration share their scratch.
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
  // `device` must outlive this; `seed` is that of the inputs.
  ScratchBuffers(Device& device, std::uint64_t seed) : device_(device), seed_(seed) {}

  // The address of an argument's array, which is made, and filled if it has a fill, when first
  // asked for. Throws Error (user) for faults of the contract.
  [[nodiscard]] std::uint64_t address(const ArgumentSpec& argument, const Environment& environment);

  // Poisons what has no fill, before a launch.
  void poison(std::uint32_t pattern);
  // Fills what has one.
  void fill_again();
  // Makes what has no fill undefined: before a launch that is checked.
  void forget();
  // What a sample of time begins with: copies that fill again what has a fill, and the rest, whose
  // content means nothing.
  [[nodiscard]] std::vector<RestoreCopy> restores();
  [[nodiscard]] std::vector<PoisonedRegion> poisoned() const;
  // What damage() looks at.
  void add_zones(RegionCheck& check) const;
  // A sentence about what was written beside an array; nullopt when nothing was.
  [[nodiscard]] std::optional<std::string> damage() const;

  // Of all arrays.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] bool any_filled() const { return !filled_names().empty(); }
  // "'counter' and 'flags'": those with a fill; "" without any.
  [[nodiscard]] std::string filled_names() const;

 private:
  struct Buffer {
    std::unique_ptr<GuardedBuffer> array;
    std::vector<std::byte> content;                // what it is filled with; empty without a fill
    std::unique_ptr<GuardedBuffer> pristine = {};  // the same on the device, once it is asked for
  };

  Device& device_;
  const std::uint64_t seed_;
  std::vector<Buffer> buffers_;
};

}  // namespace warpwright
