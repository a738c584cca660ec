// Moves that are not plain lane operations: packing, predicate logic, address spaces, asynchronous
// copies.
#include <bit>
#include <cstring>

#include "emu/exec/address.h"
#include "emu/exec/cluster.h"
#include "emu/exec/exec.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {

void exec_predicate_logic(Warp& warp, const Inst& inst) {
  const std::uint32_t a =
      warp.predicate(inst.src[0]) ^ ((inst.flags & PredicateFlags::kNegatedA) != 0 ? kAllLanes : 0);
  const std::uint32_t b =
      warp.predicate(inst.src[1]) ^ ((inst.flags & PredicateFlags::kNegatedB) != 0 ? kAllLanes : 0);
  std::uint32_t result = a;
  switch (static_cast<PredicateOp>(inst.flags & PredicateFlags::kOpMask)) {
    case PredicateOp::kAnd:
      result = a & b;
      break;
    case PredicateOp::kOr:
      result = a | b;
      break;
    case PredicateOp::kXor:
      result = a ^ b;
      break;
    case PredicateOp::kNot:
      result = ~a;
      break;
    case PredicateOp::kMove:
      break;
  }
  warp.set_predicate(inst.dst, result);
}

void exec_pack(Warp& warp, const Inst& inst) {
  const std::uint32_t* pieces = warp.extra(inst);
  const auto bits = static_cast<std::uint64_t>(inst.immediate);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t whole[kWarpSize] = {};
  for (std::size_t i = 0; i < inst.count; ++i) {
    const std::uint32_t* row = warp.row(pieces[i]);
    for (int lane = 0; lane < kWarpSize; ++lane) whole[lane] |= (row[lane] & mask) << (bits * i);
  }
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (inst.flags != 0) {
      warp.wide(inst.dst)[lane] = whole[lane];
    } else {
      warp.row(inst.dst)[lane] = static_cast<std::uint32_t>(whole[lane]);
    }
  }
}

void exec_unpack(Warp& warp, const Inst& inst) {
  const std::uint32_t* pieces = warp.extra(inst);
  const auto bits = static_cast<std::uint64_t>(inst.immediate);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t whole[kWarpSize];
  for (int lane = 0; lane < kWarpSize; ++lane) {
    whole[lane] = inst.flags != 0 ? warp.wide(inst.src[0])[lane] : warp.row(inst.src[0])[lane];
  }
  for (std::size_t i = 0; i < inst.count; ++i) {
    if (pieces[i] == kNoRegister) continue;
    std::uint32_t* row = warp.row(pieces[i]);
    for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      row[lane] = static_cast<std::uint32_t>(whole[lane] >> (bits * i) & mask);
    }
  }
}

void exec_isspacep(Warp& warp, const Inst& inst) {
  const auto space = static_cast<Space>(inst.immediate);
  std::uint32_t bits = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t address = warp.wide(inst.src[0])[lane];
    const Space is = space_of_generic(address);
    bits |= static_cast<std::uint32_t>(is == space) << lane;
  }
  warp.set_predicate(inst.dst, bits);
}

void exec_cvta_local(Warp& warp, const Inst& inst) {
  Observer* observer = warp.block().observer();
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t from = warp.wide(inst.src[0])[lane];
    std::uint64_t& to = warp.wide(inst.dst)[lane];
    if (inst.flags != 0) {
      if (observer != nullptr) observer->local_pointer(warp, lane, from);
      to = local_offset(from);
    } else {
      to = from + kLocalWindow;
      if (observer != nullptr)
        to += local_tag(warp.block().linear_index(), warp.index() * kWarpSize + lane)
              << kLocalTagShift;
    }
  }
}

void exec_cp_async(Warp& warp, const Inst& inst) {
  const std::size_t bytes = inst.count;
  LaneAddresses to;
  LaneAddresses from;
  const bool wide = (inst.flags & MemoryFlags::kWideAddress) != 0;
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
    to.at[lane] = wide ? warp.wide(inst.src[0])[lane] : warp.row(inst.src[0])[lane];
    to.at[lane] += static_cast<std::uint64_t>(inst.immediate >> 32);
    from.at[lane] =
        warp.wide(inst.src[1])[lane] +
        static_cast<std::uint64_t>(static_cast<std::int32_t>(inst.immediate & 0xffffffff));
  }
  // Lanes that read nothing may have any source address.
  std::uint32_t reads = 0;
  std::uint32_t sizes[kWarpSize];
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    sizes[lane] = static_cast<std::uint32_t>(bytes);
    if (inst.src[2] != kNoRegister)
      sizes[lane] = std::min(sizes[lane], warp.row(inst.src[2])[lane]);
    if (sizes[lane] != 0) reads |= 1u << lane;
  }
  LanePointers target;
  LanePointers source;
  resolve(warp, Space::kShared, warp.mask(), to, bytes, AccessKind::kCopy, target, Watch::kNo);
  if (reads != 0) resolve(warp, Space::kGlobal, reads, from, bytes, AccessKind::kLoad, source);
  LaneCopy copy;
  copy.rank = warp.block().rank();
  copy.warp = warp.index();
  copy.pc = warp.current_pc();
  copy.pending = copy.unawaited = warp.mask();
  copy.bytes = static_cast<std::uint32_t>(bytes);
  Observer* observer = warp.block().observer();
  if (observer != nullptr) copy.actor = observer->begin_async(warp);
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    copy.to[lane] = target.at[lane];
    copy.read[lane] = sizes[lane];
    if (sizes[lane] != 0) copy.from[lane] = source.at[lane];
    warp.counters().memory.async_load_bytes += sizes[lane];
    if (observer == nullptr) continue;
    const std::uint64_t address = kSharedWindow | (to.at[lane] & ~kWindowMask);
    observer->async_access(warp, lane, copy.actor, address, bytes, true, false);
  }
  warp.block().cluster().async().copy_lanes(copy);
}

}  // namespace warpwright::emu
