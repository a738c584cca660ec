// Translates the addresses of a warp's lanes to host pointers, with bounds and alignment checks and
// their messages, and counts sectors and shared wavefronts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emu/exec/exec.h"
#include "emu/exec/warp.h"

namespace warpwright::emu {

// kCopy: a write of cp.async into shared memory; not counted as a store.
enum class AccessKind : std::uint8_t { kLoad, kStore, kAtomic, kCopy };

struct LaneAddresses {
  alignas(64) std::uint64_t at[kWarpSize];
};

struct LanePointers {
  std::byte* at[kWarpSize];
};

// Computes the addresses of all lanes, active or not: register plus offset, in the width given by
// the instruction.
void compute_addresses(const Warp& warp, const Inst& inst, LaneAddresses& addresses);

// Whether lane l accesses first + l * bytes, for all 32 lanes.
[[nodiscard]] bool is_contiguous(std::uint32_t mask, const LaneAddresses& addresses,
                                 std::size_t bytes);

// Whether checkers see the resolved accesses; the accesses of an asynchronous copy are reported by
// its issuer.
enum class Watch : std::uint8_t { kYes, kNo };

// Checks every lane of `mask` and fills its pointer; counts one request. Throws KernelFault.
void resolve(Warp& warp, Space space, std::uint32_t mask, const LaneAddresses& addresses,
             std::size_t bytes, AccessKind kind, LanePointers& pointers, Watch watch = Watch::kYes);

// A place in the shared memory of a block of the cluster.
struct SharedPlace {
  Block* block = nullptr;
  std::uint32_t offset = 0;

  [[nodiscard]] std::byte* pointer() const;
  [[nodiscard]] std::uint64_t generic_address() const;  // tagged with the block
};

// Resolves one lane's range at an address of the shared window (or generic), in this block or, with
// a tag, in another block of the cluster. Counts nothing. Throws KernelFault when the range is not
// inside, or not aligned.
[[nodiscard]] SharedPlace locate_shared(Warp& warp, std::uint32_t lane, std::uint64_t address,
                                        std::size_t bytes, std::size_t alignment, AccessKind kind);

// Resolves one lane's range at a generic address, for printf, bulk copies and tensor maps. Counts
// nothing.
[[nodiscard]] std::byte* resolve_generic(Warp& warp, std::uint32_t lane, std::uint64_t address,
                                         std::size_t bytes);

// The space of a generic address.
[[nodiscard]] Space space_of_generic(std::uint64_t address);

[[nodiscard]] std::uint32_t count_sectors(std::uint32_t mask, const LaneAddresses& addresses,
                                          std::size_t bytes);
[[nodiscard]] std::uint32_t count_wavefronts(std::uint32_t mask, const LaneAddresses& addresses,
                                             std::size_t bytes);
// The wavefronts of the same lanes without bank conflicts.
[[nodiscard]] std::uint32_t ideal_wavefronts(std::uint32_t mask, std::size_t bytes);

// Counts one request, in the members for its kind.
void count_global(Counters& counters, AccessKind kind, std::uint64_t sectors);
void count_shared(Counters& counters, AccessKind kind, std::uint64_t wavefronts,
                  std::uint64_t ideal);

}  // namespace warpwright::emu
