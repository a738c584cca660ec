// Warp-wide operations: shuffles, votes, match, redux, elect, bar.warp.sync.
// Each is gather (inputs of the lanes) -> compute -> scatter, so that members that reach the
// operation at different places of the program can exchange values.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emu/exec/block.h"
#include "emu/exec/exec.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {
namespace {

// The inputs and results of the operation, by lane.
struct Exchange {
  std::uint32_t lanes = 0;          // those that take part: they execute it and are in their mask
  std::uint32_t executing = 0;      // all that execute it; lanes outside the mask get some value
  std::uint64_t a[kWarpSize] = {};  // value
  std::uint32_t b[kWarpSize] = {};  // shfl: lane or delta
  std::uint32_t c[kWarpSize] = {};  // shfl: clamp and segment mask
  std::uint32_t predicate = 0;
  std::uint64_t result[kWarpSize] = {};
  std::uint32_t result_predicate = 0;
  std::uint8_t source[kWarpSize] = {};  // shfl: the lane that the value comes from
  std::uint32_t absent = 0;             // shfl: lanes whose source does not take part
};

SyncOp operation(const Inst& inst) { return static_cast<SyncOp>(inst.immediate); }
bool is_shuffle(SyncOp op) { return op >= SyncOp::kShflUp && op <= SyncOp::kShflIdx; }
bool is_vote(SyncOp op) { return op >= SyncOp::kVoteAll && op <= SyncOp::kVoteBallot; }

void gather(const Warp& warp, const Inst& inst, Exchange& exchange) {
  const SyncOp op = operation(inst);
  const std::uint32_t mask = warp.mask();
  exchange.executing |= mask;
  if (op == SyncOp::kBarWarp || op == SyncOp::kElect) return;
  if (is_vote(op)) {
    const std::uint32_t flip = (inst.flags & SyncFlags::kNegated) != 0 ? kAllLanes : 0;
    exchange.predicate |= (warp.predicate(inst.src[0]) ^ flip) & mask;
    return;
  }
  const auto take = [mask](auto* to, const auto* from) {
    if (mask == kAllLanes) {
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) to[lane] = from[lane];
      return;
    }
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      to[std::countr_zero(left)] = from[std::countr_zero(left)];
  };
  if ((inst.flags & SyncFlags::kWide) != 0) {
    take(exchange.a, warp.wide(inst.src[0]));
  } else {
    take(exchange.a, warp.row(inst.src[0]));
  }
  if (!is_shuffle(op)) return;
  take(exchange.b, warp.row(inst.src[1]));
  take(exchange.c, warp.row(inst.src[2]));
}

// Runs the PTX pseudo-code for every lane, whether it takes part or not: this is fastest without
// branches, and only lanes that take part receive a result. `aim` computes the source lane.
template <bool kUp, class Aim>
void shuffle_lanes(Exchange& x, Aim&& aim) {
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const auto self = static_cast<std::int32_t>(lane);
    const auto bval = static_cast<std::int32_t>(x.b[lane] & 31);
    const auto cval = static_cast<std::int32_t>(x.c[lane] & 31);
    const auto segmask = static_cast<std::int32_t>(x.c[lane] >> 8 & 31);
    const std::int32_t max_lane = (self & segmask) | (cval & ~segmask);
    const std::int32_t aimed = aim(self, bval, segmask);
    const bool in_range = kUp ? aimed >= max_lane : aimed <= max_lane;
    const std::int32_t asked = in_range ? aimed : self;
    // A lane that does not take part has no value to read: this is undefined on the hardware, and
    // gives the reader's own value here.
    const bool present = (x.lanes >> asked & 1) != 0;
    x.absent |= static_cast<std::uint32_t>(in_range && !present) << lane;
    x.result_predicate |= static_cast<std::uint32_t>(in_range) << lane;
    x.source[lane] = static_cast<std::uint8_t>(present ? asked : self);
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) x.result[lane] = x.a[x.source[lane]];
}

void shuffle(SyncOp op, Exchange& x) {
  using Lane = std::int32_t;
  switch (op) {
    case SyncOp::kShflUp:
      return shuffle_lanes<true>(x, [](Lane self, Lane bval, Lane) { return self - bval; });
    case SyncOp::kShflDown:
      return shuffle_lanes<false>(x, [](Lane self, Lane bval, Lane) { return self + bval; });
    case SyncOp::kShflBfly:
      return shuffle_lanes<false>(x, [](Lane self, Lane bval, Lane) { return self ^ bval; });
    default:
      return shuffle_lanes<false>(x, [](Lane self, Lane bval, Lane segmask) {
        return (self & segmask) | (bval & ~segmask);
      });
  }
}

// min or max of two floats by their bits; -0 sorts below +0.
std::uint32_t float_extreme(SyncOp op, std::uint16_t flags, std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kNan = 0x7fffffffu;
  const bool a_nan = (a & kNan) > 0x7f800000u;
  const bool b_nan = (b & kNan) > 0x7f800000u;
  if (a_nan || b_nan) {
    if ((flags & SyncFlags::kNan) != 0 || (a_nan && b_nan)) return kNan;
    return a_nan ? b : a;
  }
  const auto key = [](std::uint32_t bits) {
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
  };
  return (key(a) < key(b)) == (op == SyncOp::kReduxMin) ? a : b;
}

std::uint64_t redux_value(SyncOp op, std::uint16_t flags, const Exchange& x) {
  std::uint64_t sum = 0;
  bool first = true;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((x.lanes >> lane & 1) == 0) continue;
    auto value = static_cast<std::uint32_t>(x.a[lane]);
    if ((flags & SyncFlags::kFloat) != 0) {
      if ((flags & SyncFlags::kAbs) != 0) value &= 0x7fffffffu;
      sum = first ? value : float_extreme(op, flags, static_cast<std::uint32_t>(sum), value);
      first = false;
      continue;
    }
    const auto a = static_cast<std::uint32_t>(sum);
    const bool is_signed = (flags & SyncFlags::kSigned) != 0;
    const auto less = [is_signed](std::uint32_t p, std::uint32_t q) {
      return is_signed ? static_cast<std::int32_t>(p) < static_cast<std::int32_t>(q) : p < q;
    };
    if (first) {
      sum = value;
    } else {
      switch (op) {
        case SyncOp::kReduxAdd:
          sum = a + value;
          break;
        case SyncOp::kReduxMin:
          sum = less(value, a) ? value : a;
          break;
        case SyncOp::kReduxMax:
          sum = less(a, value) ? value : a;
          break;
        case SyncOp::kReduxAnd:
          sum = a & value;
          break;
        case SyncOp::kReduxOr:
          sum = a | value;
          break;
        default:
          sum = a ^ value;
          break;
      }
    }
    sum &= 0xffffffffu;
    first = false;
  }
  return sum;
}

// match.any gives each lane the lanes of equal value; match.all the whole mask, or zero.
void match(SyncOp op, Exchange& x) {
  bool all = true;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(x.lanes));
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((x.executing >> lane & 1) == 0) continue;
    std::uint32_t same = 0;
    for (std::uint32_t other = 0; other < kWarpSize; ++other) {
      if ((x.lanes >> other & 1) != 0 && x.a[other] == x.a[lane]) same |= 1u << other;
    }
    x.result[lane] = same;
    if ((x.lanes >> lane & 1) != 0) all = all && x.a[lane] == x.a[first];
  }
  if (op != SyncOp::kMatchAll) return;
  for (std::uint64_t& result : x.result) result = all ? x.lanes : 0;
  x.result_predicate = all ? kAllLanes : 0;
}

void compute(const Inst& inst, std::uint32_t members, Exchange& x) {
  const SyncOp op = operation(inst);
  x.lanes = x.executing & members;
  if (x.lanes == 0) x.lanes = x.executing;  // some lane must take part; the checkers report this
  x.predicate &= x.lanes;
  const bool all = x.predicate == x.lanes;
  const bool any = x.predicate != 0;
  std::uint64_t same_for_all = 0;
  switch (op) {
    case SyncOp::kBarWarp:
      return;
    case SyncOp::kShflUp:
    case SyncOp::kShflDown:
    case SyncOp::kShflBfly:
    case SyncOp::kShflIdx:
      return shuffle(op, x);
    case SyncOp::kMatchAny:
    case SyncOp::kMatchAll:
      return match(op, x);
    case SyncOp::kVoteAll:
      x.result_predicate = all ? kAllLanes : 0;
      return;
    case SyncOp::kVoteAny:
      x.result_predicate = any ? kAllLanes : 0;
      return;
    case SyncOp::kVoteUni:
      x.result_predicate = all || !any ? kAllLanes : 0;
      return;
    case SyncOp::kVoteBallot:
      same_for_all = x.predicate;
      break;
    case SyncOp::kElect:
      same_for_all = static_cast<std::uint32_t>(std::countr_zero(x.lanes));
      x.result_predicate = x.lanes & (~x.lanes + 1);
      break;
    default:
      same_for_all = redux_value(op, inst.flags, x);
      break;
  }
  std::fill(std::begin(x.result), std::end(x.result), same_for_all);
}

void scatter(Warp& warp, const Inst& inst, const Exchange& x) {
  if (operation(inst) == SyncOp::kBarWarp) return;
  if (inst.dst != kNoRegister) {
    std::uint32_t* row = warp.row(inst.dst);
    const std::uint32_t mask = warp.mask();
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      row[lane] = (mask >> lane & 1) != 0 ? static_cast<std::uint32_t>(x.result[lane]) : row[lane];
  }
  warp.set_predicate(inst.dst2, x.result_predicate);
}

// Lets the checkers look for executing lanes outside the mask, and reads from lanes outside it.
void check_members(Warp& warp, const Inst& inst, std::uint32_t members, const Exchange& x) {
  Observer* observer = warp.block().observer();
  if (observer == nullptr) return;
  const auto pc = static_cast<std::uint32_t>(&inst - warp.program().code.data());
  const std::size_t sources = is_shuffle(operation(inst)) ? kWarpSize : 0;
  observer->exchanged(warp, pc, members, {x.source, sources}, x.absent & warp.mask());
}

// Executes the operation for lanes that all name the same members.
void exchange_now(Warp& warp, const Inst& inst, std::uint32_t members) {
  Exchange exchange;
  gather(warp, inst, exchange);
  compute(inst, members, exchange);
  scatter(warp, inst, exchange);
  check_members(warp, inst, members, exchange);
}

// Lanes that name different members, such as the groups of a tile, exchange values group by group;
// incomplete groups wait.
void exchange_by_mask(Warp& warp, const Inst& inst, const std::uint32_t* masks) {
  std::uint32_t waiting = 0;
  for (std::uint32_t left = warp.mask(); left != 0;) {
    const std::uint32_t members = masks[std::countr_zero(left)];
    std::uint32_t lanes = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((left >> lane & 1) != 0 && masks[lane] == members) lanes |= 1u << lane;
    }
    left &= ~lanes;
    const std::uint32_t named = members & warp.mask() & ~lanes;
    if (Observer* observer = warp.block().observer(); observer != nullptr && named != 0)
      observer->masks_differ(warp, warp.current_pc(), members, named,
                             masks[std::countr_zero(named)]);
    warp.as_lanes(lanes, [&] {
      if (warp.arrive_sync(members, orders_memory(inst))) {
        exchange_now(warp, inst, members);
      } else {
        waiting |= lanes;
      }
    });
  }
  if (waiting != 0) warp.uncount(waiting);
}

}  // namespace

bool orders_memory(const Inst& sync) { return operation(sync) == SyncOp::kBarWarp; }

void exec_sync(Warp& warp, const Inst& inst) {
  const std::uint32_t* masks = warp.row(inst.src[3]);
  const std::uint32_t executing = warp.mask();
  const std::uint32_t members = masks[std::countr_zero(executing)];
  std::uint32_t different = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    different |= (masks[lane] ^ members) & (0 - (executing >> lane & 1));
  if (different != 0) return exchange_by_mask(warp, inst, masks);
  if (warp.arrive_sync(members, orders_memory(inst))) {
    exchange_now(warp, inst, members);
  } else {
    warp.uncount(executing);
  }
}

void execute_sync_groups(Warp& warp, std::span<const Group> groups) {
  for (const Group& group : groups) {
    if (warp.program().code[group.pc].run == &exec_sync) continue;
    // Lanes of a warp cannot be at two aligned instructions at the same time.
    throw KernelFault{
        FindingKind::kTrap,
        fmt::format("threads of a warp wait for each other at `{}` and elsewhere at {{place}}; all "
                    "threads of a warp must execute that instruction together",
                    warp.program().opcodes[group.pc]),
        static_cast<std::uint32_t>(std::countr_zero(group.mask))};
  }
  const std::uint32_t front = groups.front().pc;
  for (const Group& group : groups) {
    if (operation(warp.program().code[group.pc]) == operation(warp.program().code[front])) continue;
    throw KernelFault{
        FindingKind::kTrap,
        fmt::format(
            "threads of a warp meet at `{}` and at `{}` under the mask {:#010x} at {{place}}; "
            "all threads that a mask names must execute the same operation",
            warp.program().opcodes[front], warp.program().opcodes[group.pc], group.members),
        static_cast<std::uint32_t>(std::countr_zero(group.mask))};
  }
  Exchange exchange;
  for (const Group& group : groups) {
    warp.as_group(group, [&](const Inst& inst) { gather(warp, inst, exchange); });
  }
  const std::uint32_t members = groups.front().members;
  compute(warp.program().code[groups.front().pc], members, exchange);
  for (const Group& group : groups) {
    warp.as_group(group, [&](const Inst& inst) {
      scatter(warp, inst, exchange);
      check_members(warp, inst, members, exchange);
    });
  }
}

void exec_activemask(Warp& warp, const Inst& inst) {
  std::uint32_t* row = warp.row(inst.dst);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((warp.mask() >> lane & 1) != 0) row[lane] = warp.mask();
  }
}

}  // namespace warpwright::emu
