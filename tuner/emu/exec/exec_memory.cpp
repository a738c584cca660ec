// Loads and stores. Rows of contiguous lanes are copied in bulk; all other accesses are resolved
// lane by lane.
#include <bit>
#include <cstring>

#include "emu/exec/address.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {
namespace {

template <std::size_t kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = std::uint8_t;
  using signed_type = std::int8_t;
};
template <>
struct UnsignedOf<2> {
  using type = std::uint16_t;
  using signed_type = std::int16_t;
};
template <>
struct UnsignedOf<4> {
  using type = std::uint32_t;
  using signed_type = std::int32_t;
};
template <>
struct UnsignedOf<8> {
  using type = std::uint64_t;
  using signed_type = std::int64_t;
};

template <std::size_t kBytes>
typename UnsignedOf<kBytes>::type read(const std::byte* from) {
  typename UnsignedOf<kBytes>::type value;
  std::memcpy(&value, from, kBytes);
  return value;
}

// The register value of one element: sign- or zero-extended to the row's width, depending on the
// type.
template <std::size_t kBytes>
std::uint64_t extended(const std::byte* from, bool is_signed) {
  const auto value = read<kBytes>(from);
  using Signed = typename UnsignedOf<kBytes>::signed_type;
  return is_signed
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Signed>(value)))
             : static_cast<std::uint64_t>(value);
}

// Lane l's elements start at first + l * step.
template <std::size_t kBytes>
void load_rows(Warp& warp, const Inst& inst, const std::byte* first, std::size_t step) {
  const std::uint32_t* rows = warp.extra(inst);
  for (std::size_t v = 0; v < inst.count; ++v) {
    if (rows[v] == kNoRegister) continue;
    const std::byte* from = first + v * kBytes;
    const bool is_signed = (inst.flags & MemoryFlags::kSigned) != 0;
    if ((inst.flags & MemoryFlags::kWideRow) != 0) {
      std::uint64_t* row = warp.wide(rows[v]);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        row[lane] = extended<kBytes>(from + lane * step, is_signed);
    } else {
      std::uint32_t* row = warp.row(rows[v]);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        row[lane] = static_cast<std::uint32_t>(extended<kBytes>(from + lane * step, is_signed));
      }
    }
  }
}

template <std::size_t kBytes>
void store_rows(Warp& warp, const Inst& inst, std::byte* first, std::size_t step) {
  const std::uint32_t* rows = warp.extra(inst);
  for (std::size_t v = 0; v < inst.count; ++v) {
    std::byte* to = first + v * kBytes;
    if ((inst.flags & MemoryFlags::kWideRow) != 0) {
      const std::uint64_t* row = warp.wide(rows[v]);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        std::memcpy(to + lane * step, &row[lane], kBytes);
    } else if constexpr (kBytes <= 4) {
      const std::uint32_t* row = warp.row(rows[v]);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        std::memcpy(to + lane * step, &row[lane], kBytes);
    }
  }
}

// If the whole warp accesses one aligned run of memory, one check and one copy suffice. Returns
// null when the general path is needed.
template <std::size_t kBytes>
std::byte* bulk_pointer(Warp& warp, Space space, const LaneAddresses& addresses, std::size_t width,
                        AccessKind kind) {
  if (warp.block().observer() != nullptr) return nullptr;  // it needs every lane's access
  std::uint64_t first = addresses.at[0];
  const std::size_t total = width * kWarpSize;
  if (first % width != 0) return nullptr;
  if (space == Space::kGeneric) {
    space = space_of_generic(first);
    if (space == Space::kShared) first &= ~kWindowMask;
  }
  Counters& counters = warp.counters().memory;
  if (space == Space::kGlobal) {
    const Allocation*& last = warp.last_allocation();
    if (last == nullptr || !last->contains(first, total)) {
      const Allocation* found = warp.block().context().memory->find(first, total);
      if (found == nullptr) return nullptr;
      last = found;
    }
    const std::uint64_t sectors = (first + total - 1) / kSectorBytes - first / kSectorBytes + 1;
    counters.global_distinct_bytes += last->touch(first - last->address, total) * kSectorBytes;
    count_global(counters, kind, sectors);
    return last->host + (first - last->address);
  }
  if (space == Space::kShared) {
    const std::size_t limit = warp.block().shared_bytes();
    if (first > limit || limit - first < total) return nullptr;
    // Passes of 32 words; a run that does not start at bank 0 still uses every bank once.
    const std::size_t passes = std::max<std::size_t>(width / 4, 1);
    count_shared(counters, kind, passes, passes);
    return warp.block().shared() + first;
  }
  return nullptr;
}

// All loads try the bulk path first; otherwise they resolve every lane and copy its elements.
template <std::size_t kBytes>
void exec_load(Warp& warp, const Inst& inst) {
  if ((inst.flags & MemoryFlags::kShared) != 0) {
    warp.note_shared_progress();
    warp.note_poll();
  }
  if (const std::uint32_t round = inst.src[3]; round != LoadRound::kNone)
    warp.counters().memory.global_load_rounds +=
        warp.load_rounds().enter(warp.current_pc(), round) ? 1 : 0;
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  const std::size_t width = kBytes * inst.count;
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  const std::uint32_t mask = warp.mask();
  if (is_contiguous(mask, addresses, width)) {
    if (const std::byte* first =
            bulk_pointer<kBytes>(warp, space, addresses, width, AccessKind::kLoad)) {
      load_rows<kBytes>(warp, inst, first, width);
      return;
    }
  }
  LanePointers pointers;
  resolve(warp, space, mask, addresses, width, AccessKind::kLoad, pointers);
  const std::uint32_t* rows = warp.extra(inst);
  const bool is_signed = (inst.flags & MemoryFlags::kSigned) != 0;
  const bool wide = (inst.flags & MemoryFlags::kWideRow) != 0;
  for (std::size_t v = 0; v < inst.count; ++v) {
    if (rows[v] == kNoRegister) continue;
    std::uint32_t* narrow_row = warp.row(rows[v]);
    std::uint64_t* wide_row = warp.wide(rows[v]);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t value = extended<kBytes>(pointers.at[lane] + v * kBytes, is_signed);
      if (wide) {
        wide_row[lane] = value;
      } else {
        narrow_row[lane] = static_cast<std::uint32_t>(value);
      }
    }
  }
}

template <std::size_t kBytes>
void exec_store(Warp& warp, const Inst& inst) {
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  const std::size_t width = kBytes * inst.count;
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  const std::uint32_t mask = warp.mask();
  if (is_contiguous(mask, addresses, width)) {
    if (std::byte* first =
            bulk_pointer<kBytes>(warp, space, addresses, width, AccessKind::kStore)) {
      store_rows<kBytes>(warp, inst, first, width);
      return;
    }
  }
  LanePointers pointers;
  resolve(warp, space, mask, addresses, width, AccessKind::kStore, pointers);
  const std::uint32_t* rows = warp.extra(inst);
  const bool wide = (inst.flags & MemoryFlags::kWideRow) != 0;
  // Lanes run in order: if several store to one address, the highest lane wins in every run.
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    for (std::size_t v = 0; v < inst.count; ++v) {
      const std::uint64_t value = wide ? warp.wide(rows[v])[lane] : warp.row(rows[v])[lane];
      std::memcpy(pointers.at[lane] + v * kBytes, &value, kBytes);
    }
  }
}

// The parameter area of the current frame: own parameters and those of the calls it makes.
template <std::size_t kBytes, Access kAccess>
void exec_frame_param(Warp& warp, const Inst& inst) {
  Frame& frame = warp.frame();
  const std::size_t stride = frame.function->param_bytes;
  const std::uint32_t* rows = warp.extra(inst);
  const bool is_signed = (inst.flags & MemoryFlags::kSigned) != 0;
  const bool wide = (inst.flags & MemoryFlags::kWideRow) != 0;
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    std::byte* at = frame.params.data() + lane * stride + inst.immediate;
    for (std::size_t v = 0; v < inst.count; ++v, at += kBytes) {
      if (rows[v] == kNoRegister) continue;
      if constexpr (kAccess == Access::kStore) {
        const std::uint64_t value = wide ? warp.wide(rows[v])[lane] : warp.row(rows[v])[lane];
        std::memcpy(at, &value, kBytes);
      } else {
        const std::uint64_t value = extended<kBytes>(at, is_signed);
        if (wide) {
          warp.wide(rows[v])[lane] = value;
        } else {
          warp.row(rows[v])[lane] = static_cast<std::uint32_t>(value);
        }
      }
    }
  }
}

template <std::size_t kBytes>
Handler select(Access access, bool frame_param) {
  if (frame_param) {
    return access == Access::kLoad ? &exec_frame_param<kBytes, Access::kLoad>
                                   : &exec_frame_param<kBytes, Access::kStore>;
  }
  return access == Access::kLoad ? &exec_load<kBytes> : &exec_store<kBytes>;
}

}  // namespace

Handler memory_handler(Access access, std::size_t element_bytes, bool frame_param) {
  switch (element_bytes) {
    case 1:
      return select<1>(access, frame_param);
    case 2:
      return select<2>(access, frame_param);
    case 4:
      return select<4>(access, frame_param);
    case 8:
      return select<8>(access, frame_param);
    default:
      return nullptr;
  }
}

void exec_local_address(Warp& warp, const Inst& inst) {
  const std::uint64_t address =
      warp.frame().local_base + static_cast<std::uint64_t>(inst.immediate);
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (inst.flags != 0) {
      warp.wide(inst.dst)[lane] = address;
    } else {
      warp.row(inst.dst)[lane] = static_cast<std::uint32_t>(address);
    }
  }
}

}  // namespace warpwright::emu
