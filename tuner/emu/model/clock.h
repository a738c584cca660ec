// Vector clocks: what a lane knows to have happened before it. Time is counted per actor of a
// block: each warp, and each slot that an asynchronous operation runs in. A clock says, for every
// actor, up to which of its epochs everything is known; where lanes of one warp published on their
// own, by lane.
//
// Clocks are immutable once shared: a ClockRef is copied freely, joining makes a new one.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "emu/model/counted.h"

namespace warpwright::emu {

struct Actor {
  std::uint64_t block = 0;  // linear index in the grid
  std::uint16_t index = 0;  // warp, or kFirstSlot + slot
  std::uint32_t epoch = 0;
};

// Slots of asynchronous operations of one block, behind its warps.
inline constexpr std::uint16_t kFirstSlot = 32;
inline constexpr std::uint16_t kSlots = 64;
inline constexpr std::uint16_t kActors = kFirstSlot + kSlots;

// What is known of a block of which nothing is known: epochs begin at 1.
inline constexpr std::array<std::uint32_t, kActors> kNoEpochs{};

class Clock : public IsCounted {
 public:
  // Of the lanes of `mask`; a copy that every lane makes for itself has lanes too.
  [[nodiscard]] bool covers(const Actor& actor, std::uint32_t mask) const;
  // By actor of one block, the epochs of which all lanes are covered: of kActors actors, for as
  // long as this clock is neither changed nor gone.
  [[nodiscard]] const std::uint32_t* epochs_of(std::uint64_t block) const;
  // Everything of one actor up to `epoch`, or of the lanes of `mask` only.
  void learn(std::uint64_t block, std::uint16_t index, std::uint32_t epoch, std::uint32_t mask);
  void join(const Clock& other);
  // True when joining `other` would teach nothing.
  [[nodiscard]] bool includes(const Clock& other) const;

 private:
  using Lanes = std::array<std::uint32_t, 32>;
  struct BlockPart : IsCounted {
    std::array<std::uint32_t, kActors> epochs{};
    std::vector<std::pair<std::uint16_t, Lanes>> lanes;  // where lanes know more than `epochs`

    [[nodiscard]] const Lanes* find(std::uint16_t index) const;
    void join(const BlockPart& other);
    [[nodiscard]] bool includes(const BlockPart& other) const;
    void merge_lanes(std::uint16_t index, const Lanes& more);
  };
  using Parts = std::vector<std::pair<std::uint64_t, Counted<BlockPart>>>;
  [[nodiscard]] Parts::const_iterator find(std::uint64_t block) const;  // or where it would be
  BlockPart& own_part(std::uint64_t block);

  Parts parts_;  // by block
};

using ClockRef = Counted<const Clock>;

// The join of two; either may be null, which knows nothing.
[[nodiscard]] ClockRef joined(const ClockRef& a, const ClockRef& b);
[[nodiscard]] inline bool covers(const ClockRef& clock, const Actor& actor, std::uint32_t mask) {
  return clock != nullptr && clock->covers(actor, mask);
}

// What a lane knows, and passes on when it synchronises.
struct Knowledge {
  ClockRef happened;
  ClockRef proxied;  // of that, what a fence.proxy.async has made visible to asynchronous copies
  ClockRef fenced;   // of that, what a memory fence has made visible to a reader of a later flag
  ClockRef fenced_near;  // likewise, to readers in the same block
  // What flags say that were read without an acquire: a fence makes it known, one of the block's
  // scope only what the own block wrote.
  ClockRef seen;
  ClockRef seen_near;
  ClockRef mapped;  // of `happened`, what a fence.proxy.tensormap shows to readers of tensor maps
  // What threads had done before they set flags that were read, whether or not anything orders it.
  ClockRef heard;

  void join(const Knowledge& other) {
    happened = joined(happened, other.happened);
    proxied = joined(proxied, other.proxied);
    fenced = joined(fenced, other.fenced);
    fenced_near = joined(fenced_near, other.fenced_near);
    seen = joined(seen, other.seen);
    seen_near = joined(seen_near, other.seen_near);
    mapped = joined(mapped, other.mapped);
    heard = joined(heard, other.heard);
  }
  // Eight pointers side by side; asked for every lane of many accesses.
  bool operator==(const Knowledge& other) const {
    return std::memcmp(static_cast<const void*>(this), &other, sizeof *this) == 0;
  }
};
static_assert(sizeof(Knowledge) == 8 * sizeof(ClockRef) && sizeof(ClockRef) == sizeof(void*));

}  // namespace warpwright::emu
