// The internals of GlobalMemory: live allocations by address, and the layout of generic addresses.
// Allocations never move and are neither made nor released while a launch runs, so lookups take no
// lock.
//
// A 64-bit generic address is one of
//   global  kGlobalBase + n    below kSharedWindow; allocations are at least kGuardBytes apart
//   shared  kSharedWindow + n  n is the 32-bit shared address
//   local   kLocalWindow + n   n is the offset in the lane's own local memory; under checkers, a
//                              tag above it identifies the thread
//   param   kParamWindow + n   n is the offset in the entry's parameter buffer
//   code    kCodeWindow + n    not memory: the function of index n / kCodeBytes in the module
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "emu/emulator.h"

namespace warpwright::emu {

inline constexpr std::uint64_t kGlobalBase = std::uint64_t{1} << 56;
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{2} << 56;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{3} << 56;
inline constexpr std::uint64_t kParamWindow = std::uint64_t{4} << 56;
inline constexpr std::uint64_t kCodeWindow = std::uint64_t{5} << 56;
inline constexpr std::uint64_t kCodeBytes = 128;
[[nodiscard]] inline std::uint64_t function_address(std::uint32_t index) {
  return kCodeWindow + index * kCodeBytes;
}
inline constexpr std::uint64_t kWindowMask = std::uint64_t{0xff} << 56;
// Shared addresses: offset in the block's shared memory, and above it 0 for the block itself or 1 +
// rank of another block of the cluster.
inline constexpr int kClusterTagShift = 24;
inline constexpr std::uint64_t kSharedOffsetMask = (std::uint64_t{1} << kClusterTagShift) - 1;
// Local addresses: an offset of 24 bits, which is negative while a pointer is before its array,
// plus the tag of the thread that took the address; the tag is 0 without checkers.
inline constexpr int kLocalTagShift = 24;
inline constexpr int kLocalThreadBits = 11;
[[nodiscard]] inline std::uint64_t local_offset(std::uint64_t address) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(address << (64 - kLocalTagShift)) >>
                                    (64 - kLocalTagShift));
}
[[nodiscard]] inline std::uint64_t local_tag(std::uint64_t block, std::uint32_t thread) {
  return (block & 0xfffff) << kLocalThreadBits | (thread + 1);
}
[[nodiscard]] inline std::uint64_t local_tag_of(std::uint64_t address) {
  return ((address - local_offset(address)) & ~kWindowMask) >> kLocalTagShift;
}
inline constexpr std::uint64_t kSectorBytes = 32;
inline constexpr std::uint64_t kGuardBytes = std::uint64_t{1} << 21;

struct Allocation {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  std::byte* host = nullptr;
  std::size_t mapped = 0;
  std::string label;
  // One bit per 32-byte sector: accessed by the running launch.
  std::atomic<std::uint64_t>* touched = nullptr;
  std::size_t touched_bytes = 0;
  // Accessed since the sequence of launches began: by a launch before the running one, or by an
  // access that is not counted in sectors.
  mutable std::atomic<bool> accessed{false};

  void note_access() const {
    if (!accessed.load(std::memory_order_relaxed)) accessed.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] std::size_t touched_words() const {
    return (bytes + kSectorBytes * 64 - 1) / (kSectorBytes * 64);
  }
  [[nodiscard]] bool was_accessed() const {
    if (accessed.load(std::memory_order_relaxed)) return true;
    return std::any_of(touched, touched + touched_words(),
                       [](const auto& word) { return word.load(std::memory_order_relaxed) != 0; });
  }

  [[nodiscard]] bool contains(std::uint64_t first, std::size_t length) const {
    return first >= address && length <= bytes && first - address <= bytes - length;
  }
  // Marks the sectors of [offset, offset + length); returns the number of newly marked ones.
  [[nodiscard]] std::uint32_t touch(std::uint64_t offset, std::size_t length) const {
    std::uint32_t fresh = 0;
    const std::uint64_t last = (offset + length - 1) / kSectorBytes;
    for (std::uint64_t sector = offset / kSectorBytes; sector <= last;) {
      const std::uint64_t end = std::min<std::uint64_t>(last + 1, (sector / 64 + 1) * 64);
      const std::uint64_t count = end - sector;
      const std::uint64_t bits = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1)
                                 << (sector % 64);
      std::atomic<std::uint64_t>& word = touched[sector / 64];
      if ((word.load(std::memory_order_relaxed) & bits) != bits) {
        fresh += static_cast<std::uint32_t>(
            std::popcount(bits & ~word.fetch_or(bits, std::memory_order_relaxed)));
      }
      sector = end;
    }
    return fresh;
  }
};

// A set of marked bytes in allocations.
class ByteMarks {
 public:
  // True if no allocation has ever had marked bytes.
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  // False if none of the allocations in [begin, end) has ever had marked bytes.
  [[nodiscard]] bool may_be_in(std::uint64_t begin, std::uint64_t end) const {
    const auto after = bytes_.lower_bound(end);
    if (after == bytes_.begin()) return false;
    const auto& [start, bytes] = *std::prev(after);
    return start + bytes.size() > begin;
  }
  [[nodiscard]] bool any(std::uint64_t address, std::size_t length) const;
  void set(const Allocation& allocation, std::size_t offset, std::size_t length);
  void clear(std::uint64_t address, std::size_t length);
  // The marked bytes in the range: the offset of the first one, and their number.
  [[nodiscard]] std::optional<GlobalMemory::Unwritten> count(std::uint64_t address,
                                                             std::size_t length) const;
  void forget_allocation(std::uint64_t address) { bytes_.erase(address); }
  void forget_all() { bytes_.clear(); }

 private:
  std::map<std::uint64_t, std::vector<bool>> bytes_;  // by address of the allocation
};

struct GlobalMemory::Impl {
  ~Impl();

  // The allocation that wholly contains the range, or nullptr.
  [[nodiscard]] const Allocation* find(std::uint64_t address, std::size_t length) const;
  // The allocation nearest to an address outside all of them; nullptr when there are none.
  [[nodiscard]] const Allocation* nearest(std::uint64_t address) const;
  const Allocation& allocate(std::size_t bytes, std::string label);
  void forget_touched();   // before a launch
  void forget_accesses();  // before a sequence of launches
  // The bytes accessed by the running launch, extrapolated as if the number of blocks were `factor`
  // times higher; an allocation that all blocks share does not grow.
  [[nodiscard]] std::uint64_t touched_bytes(double factor) const;

  // Marks of bytes for launches under checkers. Most memories do not have any.
  [[nodiscard]] bool has_marks() const { return !undefined.empty() || !kept.empty(); }
  void define(std::uint64_t address, std::size_t length) {
    if (!undefined.empty()) undefined.clear(address, length);
    if (!kept.empty()) kept.clear(address, length);
  }
  // Bytes that the host called forget() for and that have not been written since.
  ByteMarks undefined;
  // Bytes of modules' variables that differed from their values after loading when the sequence
  // began, and that it has not written.
  ByteMarks kept;

  std::map<std::uint64_t, std::unique_ptr<Allocation>> allocations;  // by address
  std::map<std::uint64_t, std::pair<std::size_t, std::string>> released;
  std::uint64_t next_address = kGlobalBase + kGuardBytes;
  std::size_t bytes_in_use = 0;

  // The memory of a module's variables: allocated at its first launch, kept for later ones.
  struct ModuleImage {
    std::weak_ptr<const int>
        alive;  // expires with the module, so that a new one at its address starts afresh
    std::vector<std::uint64_t> addresses;  // by index into Program::variables
    std::vector<bool> used;  // by index: used by an earlier sequence, or written by the host
    bool spoilt = false;     // a launch ended in a fault, so the next one must restore the state
  };
  // Addresses of the variables that the host set in this sequence, and of the arrays that their
  // content comes from.
  struct GivenVariable {
    std::uint64_t variable = 0;
    std::uint64_t array = 0;
    bool operator==(const GivenVariable&) const = default;
  };
  std::vector<GivenVariable> given;
  std::mutex images_mutex;
  std::map<const void*, ModuleImage> images;
};

}  // namespace warpwright::emu
