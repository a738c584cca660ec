// Vector clocks: the set of operations that happened before a lane's next one. Time is counted per
// actor of a block: each warp, and each slot that an asynchronous operation runs in. For every
// actor, a clock stores the epoch up to which everything is covered; if lanes of one warp published
// separately, it does so by lane.
//
// Clocks are immutable once shared: a ClockRef is copied freely, and joining creates a new clock.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace warpwright::emu {

// The base of objects with a reference count. The count of a copy starts at 0.
class IsCounted {
 public:
  IsCounted() = default;
  IsCounted(const IsCounted&) {}
  IsCounted& operator=(const IsCounted&) { return *this; }

 private:
  template <class T>
  friend class Counted;
  mutable std::uint32_t uses_ = 0;
};

// A shared pointer for a single thread: the checkers copy one for every lane and every flag,
// without the cost of atomic operations. The reference count is stored in the object.
template <class T>
class Counted {
 public:
  Counted() = default;
  Counted(std::nullptr_t) {}
  Counted(const Counted& other) : to_(other.to_) { take(); }
  Counted(Counted&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  // Converts from a pointer to a mutable value.
  template <class Other>
  Counted(const Counted<Other>& other) : to_(other.get()) {
    take();
  }
  Counted& operator=(Counted other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~Counted() {
    if (to_ != nullptr && --to_->uses_ == 0) delete to_;
  }
  template <class... Arguments>
  [[nodiscard]] static Counted make(Arguments&&... arguments) {
    Counted made;
    made.to_ = new T(std::forward<Arguments>(arguments)...);
    made.take();
    return made;
  }

  [[nodiscard]] T* get() const { return to_; }
  T& operator*() const { return *to_; }
  T* operator->() const { return to_; }
  [[nodiscard]] bool is_shared() const { return to_ != nullptr && to_->uses_ > 1; }
  bool operator==(const Counted& other) const { return to_ == other.to_; }
  bool operator==(std::nullptr_t) const { return to_ == nullptr; }

 private:
  void take() {
    if (to_ != nullptr) ++to_->uses_;
  }
  T* to_ = nullptr;
};

struct Actor {
  std::uint64_t block = 0;  // linear index in the grid
  std::uint16_t index = 0;  // warp, or kFirstSlot + slot
  std::uint32_t epoch = 0;
};

// Slots of asynchronous operations of one block; their actors follow its warps.
inline constexpr std::uint16_t kFirstSlot = 32;
inline constexpr std::uint16_t kSlots = 64;
inline constexpr std::uint16_t kActors = kFirstSlot + kSlots;

// The epochs of a block that a clock does not cover: epochs begin at 1.
inline constexpr std::array<std::uint32_t, kActors> kNoEpochs{};

class Clock : public IsCounted {
 public:
  // Whether the clock covers the actor's epoch in all lanes of `mask`. A cp.async, which every lane
  // makes for itself, has lanes too.
  [[nodiscard]] bool covers(const Actor& actor, std::uint32_t mask) const;
  // Returns the epochs of one block that are covered in all lanes, for kActors actors. The pointer
  // is valid as long as this clock is neither changed nor destroyed.
  [[nodiscard]] const std::uint32_t* epochs_of(std::uint64_t block) const;
  // Adds everything that the lanes of `mask` of one actor did up to `epoch`.
  void learn(std::uint64_t block, std::uint16_t index, std::uint32_t epoch, std::uint32_t mask);
  void join(const Clock& other);
  // True when joining `other` would not change this clock.
  [[nodiscard]] bool includes(const Clock& other) const;

 private:
  using Lanes = std::array<std::uint32_t, 32>;
  struct BlockPart : IsCounted {
    std::array<std::uint32_t, kActors> epochs{};
    std::vector<std::pair<std::uint16_t, Lanes>> lanes;  // lanes that are ahead of `epochs`

    [[nodiscard]] const Lanes* find(std::uint16_t index) const;
    void join(const BlockPart& other);
    [[nodiscard]] bool includes(const BlockPart& other) const;
    void merge_lanes(std::uint16_t index, const Lanes& more);
  };
  using Parts = std::vector<std::pair<std::uint64_t, Counted<BlockPart>>>;
  [[nodiscard]] Parts::const_iterator find(std::uint64_t block) const;  // or the place to insert it
  BlockPart& own_part(std::uint64_t block);

  Parts parts_;  // by block
};

using ClockRef = Counted<const Clock>;

// The join of two clocks; either may be null, which is the empty clock.
[[nodiscard]] ClockRef joined(const ClockRef& a, const ClockRef& b);
[[nodiscard]] inline bool covers(const ClockRef& clock, const Actor& actor, std::uint32_t mask) {
  return clock != nullptr && clock->covers(actor, mask);
}

// The clocks of a lane, which it passes on when it synchronises.
struct Knowledge {
  ClockRef happened;
  ClockRef proxied;  // the part that a fence.proxy.async has made visible to asynchronous copies
  ClockRef fenced;   // the part that a memory fence has made visible to a reader of a later flag
  ClockRef fenced_near;  // the same for readers in the same block
  // The clocks of flags that were read without an acquire. A fence adds them to `happened`; a fence
  // of block scope adds only the writes of the own block.
  ClockRef seen;
  ClockRef seen_near;
  ClockRef mapped;  // the part that a fence.proxy.tensormap shows to readers of tensor maps
  // Everything that threads had done before they set flags that this lane has read, ordered or not.
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
  // Compares eight adjacent pointers; called for every lane of many accesses.
  bool operator==(const Knowledge& other) const {
    return std::memcmp(static_cast<const void*>(this), &other, sizeof *this) == 0;
  }
};
static_assert(sizeof(Knowledge) == 8 * sizeof(ClockRef) && sizeof(ClockRef) == sizeof(void*));

}  // namespace warpwright::emu
