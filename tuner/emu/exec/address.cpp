#include "emu/exec/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/words.h"
#include "emu/exec/cluster.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {
namespace {

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return "load";
    case AccessKind::kAtomic:
      return "atomic";
    default:
      return "store";
  }
}

// The message gives the offset from the nearest buffer, because an index that is off by a little is
// the most common mistake; it also names a released buffer, because its address still looks right.
[[noreturn]] void fail_global(const Warp& warp, Block& block, std::uint32_t lane,
                              std::uint64_t address, std::size_t bytes, AccessKind kind) {
  (void)warp;
  const GlobalMemory::Impl& memory = *block.context().memory;
  const std::string access = fmt::format("{} of {}", verb(kind), plural(bytes, "byte"));
  constexpr std::string_view kGuardIndex = "check the index against the size of the buffer";
  for (const auto& [start, gone] : memory.released) {
    if (address >= start && address - start < gone.first) {
      throw KernelFault{
          FindingKind::kOutOfBounds,
          fmt::format(
              "{} at offset {} of buffer '{}', which was released, at {{place}}; keep the buffer "
              "alive until the launch is done",
              access, address - start, gone.second),
          lane};
    }
  }
  const Allocation* near = memory.nearest(address);
  if (near == nullptr || address < kGlobalBase || (address & kWindowMask) != kGlobalBase) {
    throw KernelFault{FindingKind::kOutOfBounds,
                      fmt::format("{} at address {:#x}, which is not a device buffer, at "
                                  "{{place}}; pass a device pointer",
                                  access, address),
                      lane};
  }
  const std::uint64_t end = near->address + near->bytes;
  std::string where;
  if (address < near->address) {
    where = fmt::format("{} before the start of buffer '{}' ({} bytes)",
                        plural(near->address - address, "byte"), near->label, near->bytes);
  } else if (address < end) {
    where = fmt::format("at offset {} runs {} past the end of buffer '{}' ({} bytes)",
                        address - near->address, plural(address + bytes - end, "byte"), near->label,
                        near->bytes);
  } else {
    where = fmt::format("{} past the end of buffer '{}' ({} bytes)", plural(address - end, "byte"),
                        near->label, near->bytes);
  }
  throw KernelFault{FindingKind::kOutOfBounds,
                    fmt::format("{} {} at {{place}}; {}", access, where, kGuardIndex), lane};
}

// The hardware requires every access to be aligned to its size, and a vector to its total size.
[[noreturn]] void fail_misaligned(std::uint32_t lane, const std::string& where, std::size_t bytes,
                                  AccessKind kind) {
  throw KernelFault{
      FindingKind::kMisaligned,
      fmt::format(
          "{} of {} bytes {} is not aligned to {} bytes at {{place}}; access fewer bytes at a "
          "time or align the address",
          verb(kind), bytes, where, bytes),
      lane};
}

// Shared memory has no buffers to name, so the message gives the sizes of the launch.
[[noreturn]] void fail_shared(Block& block, std::uint32_t lane, std::uint64_t address,
                              std::size_t bytes, AccessKind kind) {
  const std::size_t dynamic = block.context().launch->dynamic_shared_bytes;
  throw KernelFault{
      FindingKind::kOutOfBounds,
      fmt::format(
          "{} of {} at shared address {} at {{place}}, but the block has {} bytes of shared "
          "memory ({} "
          "static and {} dynamic); check the index or launch with more dynamic shared memory",
          verb(kind), plural(bytes, "byte"), address, block.shared_bytes(),
          block.shared_bytes() - dynamic, dynamic),
      lane};
}

[[noreturn]] void fail_local(std::uint32_t lane, std::uint64_t address, std::size_t bytes,
                             std::size_t limit, AccessKind kind) {
  throw KernelFault{
      FindingKind::kOutOfBounds,
      fmt::format("{} of {} at local address {} at {{place}}, but the thread has {} bytes of local "
                  "memory; check the index into the local array",
                  verb(kind), plural(bytes, "byte"), address, limit),
      lane};
}

// Returns one lane's pointer. `last` is the allocation that the warp accessed last, because most
// accesses stay there.
std::byte* global_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address, std::size_t bytes,
                          AccessKind kind, const Allocation*& last) {
  if (last == nullptr || !last->contains(address, bytes)) {
    last = warp.block().context().memory->find(address, bytes);
    if (last == nullptr) fail_global(warp, warp.block(), lane, address, bytes, kind);
  }
  const std::uint64_t offset = address - last->address;
  if ((address & (bytes - 1)) != 0) {
    fail_misaligned(lane, fmt::format("at offset {} of buffer '{}'", offset, last->label), bytes,
                    kind);
  }
  return last->host + offset;
}

// Constant memory has its own cache, so its accesses are not counted.
void resolve_global(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind, bool counted, LanePointers& pointers,
                    Watch watch) {
  const Allocation*& last = warp.last_allocation();
  Counters& counters = warp.counters().memory;
  std::uint64_t previous = ~std::uint64_t{0};
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    pointers.at[lane] = global_pointer(warp, lane, address, bytes, kind, last);
    if (!counted) last->note_access();
    if (!counted || address / kSectorBytes == previous) continue;
    previous = address / kSectorBytes;
    counters.global_distinct_bytes += last->touch(address - last->address, bytes) * kSectorBytes;
  }
  if (Observer* observer = warp.block().observer(); observer != nullptr && watch == Watch::kYes) {
    if (counted)
      observer->access(warp, nullptr, mask, addresses, bytes, kind);
    else
      observer->constant_access(warp, mask, addresses, bytes, kind);
  }
  if (!counted) return;
  count_global(counters, kind, count_sectors(mask, addresses, bytes));
}

// The block of the cluster whose shared memory contains an address.
Block& shared_owner(Warp& warp, std::uint32_t lane, std::uint64_t address, AccessKind kind) {
  const std::uint64_t tag = address >> kClusterTagShift & 0xff;
  if (tag == 0) return warp.block();
  Cluster& cluster = warp.block().cluster();
  if (tag > cluster.size()) {
    throw KernelFault{
        FindingKind::kOutOfBounds,
        fmt::format("{} at {{place}} in the shared memory of block {} of a cluster of {}; take "
                    "addresses of other blocks from mapa",
                    verb(kind), tag - 1, cluster.size()),
        lane};
  }
  Block& owner = cluster.block(tag - 1);
  if (!owner.live()) {
    throw KernelFault{
        FindingKind::kOutOfBounds,
        fmt::format("{} at {{place}} in the shared memory of block {} of the cluster, which has "
                    "exited; let all blocks pass a barrier of the cluster before any of them exits",
                    verb(kind), tag - 1),
        lane};
  }
  return owner;
}

// Reports lanes that access other blocks of the cluster to the checkers, block by block.
void watch_shared(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses, std::size_t bytes,
                  AccessKind kind) {
  LaneAddresses offsets;
  for (std::size_t lane = 0; lane < kWarpSize; ++lane)
    offsets.at[lane] = addresses.at[lane] & kSharedOffsetMask;
  while (mask != 0) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint64_t tag = addresses.at[first] >> kClusterTagShift;
    std::uint32_t same = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      if (addresses.at[lane] >> kClusterTagShift == tag) same |= 1u << lane;
    }
    warp.block().observer()->access(warp, &shared_owner(warp, first, addresses.at[first], kind),
                                    same, offsets, bytes, kind);
    mask &= ~same;
  }
}

void resolve_shared(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind, LanePointers& pointers, Watch watch) {
  Block& block = warp.block();
  const std::size_t limit = block.shared_bytes();
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    std::uint64_t address = addresses.at[lane];
    std::byte* base = block.shared();
    if (address > kSharedOffsetMask && address >> 32 == 0) {
      base = shared_owner(warp, lane, address, kind).shared();
      address &= kSharedOffsetMask;
    }
    if (address > limit || limit - address < bytes) fail_shared(block, lane, address, bytes, kind);
    if ((address & (bytes - 1)) != 0) {
      fail_misaligned(lane, fmt::format("at shared address {}", address), bytes, kind);
    }
    pointers.at[lane] = base + address;
  }
  if (watch == Watch::kYes && block.observer() != nullptr)
    watch_shared(warp, mask, addresses, bytes, kind);
  count_shared(warp.counters().memory, kind, count_wavefronts(mask, addresses, bytes),
               ideal_wavefronts(mask, bytes));
}

void resolve_local(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                   std::size_t bytes, AccessKind kind, LanePointers& pointers) {
  const std::size_t limit = warp.local_limit();
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    if (address > limit || limit - address < bytes) fail_local(lane, address, bytes, limit, kind);
    if ((address & (bytes - 1)) != 0)
      fail_misaligned(lane, fmt::format("at local address {}", address), bytes, kind);
    pointers.at[lane] = warp.local(lane, limit) + address;
  }
  if (Observer* observer = warp.block().observer())
    observer->local_access(warp, mask, addresses, bytes, kind);
  ++warp.counters().memory.local_requests;
}

void resolve_param(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                   std::size_t bytes, AccessKind kind, LanePointers& pointers) {
  const std::vector<std::byte>& parameters = warp.block().context().parameters;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    if (address > parameters.size() || parameters.size() - address < bytes ||
        kind != AccessKind::kLoad) {
      throw KernelFault{
          FindingKind::kOutOfBounds,
          fmt::format(
              "{} of {} bytes at offset {} of the kernel's parameters ({} bytes, read only) at "
              "{{place}}; check the index into the parameter",
              verb(kind), bytes, address, parameters.size()),
          lane};
    }
    // Parameters are only read; the pointer type is shared with the writable spaces.
    pointers.at[lane] = const_cast<std::byte*>(parameters.data()) + address;
  }
}

// Lanes may point into different spaces; each space is a separate request.
void resolve_generic_lanes(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                           std::size_t bytes, AccessKind kind, LanePointers& pointers,
                           Watch watch) {
  std::uint32_t left = mask;
  while (left != 0) {
    const std::uint64_t window = addresses.at[std::countr_zero(left)] & kWindowMask;
    LaneAddresses relative;
    std::uint32_t same = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((left >> lane & 1) == 0 || (addresses.at[lane] & kWindowMask) != window) continue;
      same |= 1u << lane;
      relative.at[lane] = addresses.at[lane] & ~kWindowMask;
      if (window != kLocalWindow) continue;
      relative.at[lane] = local_offset(addresses.at[lane]);
      if (Observer* observer = warp.block().observer())
        observer->local_pointer(warp, lane, addresses.at[lane]);
    }
    left &= ~same;
    const Space space = space_of_generic(window);
    resolve(warp, space, same, space == Space::kGlobal ? addresses : relative, bytes, kind,
            pointers, watch);
  }
}

}  // namespace

void compute_addresses(const Warp& warp, const Inst& inst, LaneAddresses& addresses) {
  if ((inst.flags & MemoryFlags::kWideAddress) != 0) {
    const std::uint64_t* base = warp.wide(inst.src[0]);
    const auto offset = static_cast<std::uint64_t>(inst.immediate);
    for (int lane = 0; lane < kWarpSize; ++lane) addresses.at[lane] = base[lane] + offset;
  } else {
    const std::uint32_t* base = warp.row(inst.src[0]);
    const auto offset = static_cast<std::uint32_t>(inst.immediate);
    for (int lane = 0; lane < kWarpSize; ++lane) addresses.at[lane] = base[lane] + offset;
  }
}

bool is_contiguous(std::uint32_t mask, const LaneAddresses& addresses, std::size_t bytes) {
  if (mask != kAllLanes) return false;
  std::uint64_t different = 0;
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
    different |= addresses.at[lane] ^ (addresses.at[0] + lane * bytes);
  }
  return different == 0;
}

Space space_of_generic(std::uint64_t address) {
  switch (address & kWindowMask) {
    case kSharedWindow:
      return Space::kShared;
    case kLocalWindow:
      return Space::kLocal;
    case kParamWindow:
      return Space::kParam;
    default:
      return Space::kGlobal;
  }
}

void resolve(Warp& warp, Space space, std::uint32_t mask, const LaneAddresses& addresses,
             std::size_t bytes, AccessKind kind, LanePointers& pointers, Watch watch) {
  switch (space) {
    case Space::kGlobal:
      return resolve_global(warp, mask, addresses, bytes, kind, true, pointers, watch);
    case Space::kConst:
      return resolve_global(warp, mask, addresses, bytes, kind, false, pointers, watch);
    case Space::kShared:
      return resolve_shared(warp, mask, addresses, bytes, kind, pointers, watch);
    case Space::kLocal:
      return resolve_local(warp, mask, addresses, bytes, kind, pointers);
    case Space::kParam:
      return resolve_param(warp, mask, addresses, bytes, kind, pointers);
    default:
      return resolve_generic_lanes(warp, mask, addresses, bytes, kind, pointers, watch);
  }
}

std::byte* SharedPlace::pointer() const { return block->shared() + offset; }

std::uint64_t SharedPlace::generic_address() const {
  return kSharedWindow | std::uint64_t{block->rank() + 1} << kClusterTagShift | offset;
}

SharedPlace locate_shared(Warp& warp, std::uint32_t lane, std::uint64_t address, std::size_t bytes,
                          std::size_t alignment, AccessKind kind) {
  if ((address & kWindowMask) == kSharedWindow) address &= ~kWindowMask;
  if (address >> 32 != 0) fail_shared(warp.block(), lane, address, bytes, kind);
  Block& owner = shared_owner(warp, lane, address, kind);
  const std::uint64_t offset = address & kSharedOffsetMask;
  const std::size_t limit = owner.shared_bytes();
  if (offset > limit || limit - offset < bytes) fail_shared(owner, lane, offset, bytes, kind);
  if (offset % alignment != 0) {
    throw KernelFault{
        FindingKind::kMisaligned,
        fmt::format("{} at shared address {} at {{place}} is not aligned to {} bytes; "
                    "align the shared buffer",
                    verb(kind), offset, alignment),
        lane};
  }
  return {&owner, static_cast<std::uint32_t>(offset)};
}

std::byte* resolve_generic(Warp& warp, std::uint32_t lane, std::uint64_t address,
                           std::size_t bytes) {
  const std::uint64_t relative = address & ~kWindowMask;
  const auto outside = [&](std::size_t limit) {
    return relative > limit || limit - relative < bytes;
  };
  switch (space_of_generic(address)) {
    case Space::kShared:
      if (outside(warp.block().shared_bytes()))
        fail_shared(warp.block(), lane, relative, bytes, AccessKind::kLoad);
      return warp.block().shared() + relative;
    case Space::kLocal: {
      const std::uint64_t offset = local_offset(address);
      const std::size_t limit = warp.local_limit();
      if (offset > limit || limit - offset < bytes)
        fail_local(lane, offset, bytes, limit, AccessKind::kLoad);
      return warp.local(lane, limit) + offset;
    }
    case Space::kParam: {
      LaneAddresses at;
      LanePointers pointers;
      at.at[lane] = relative;
      resolve_param(warp, 1u << lane, at, bytes, AccessKind::kLoad, pointers);
      return pointers.at[lane];
    }
    default: {
      const Allocation* allocation = warp.block().context().memory->find(address, bytes);
      if (allocation == nullptr)
        fail_global(warp, warp.block(), lane, address, bytes, AccessKind::kLoad);
      allocation->note_access();
      return allocation->host + (address - allocation->address);
    }
  }
}

}  // namespace warpwright::emu
