// The checker's side of memory: what an access conflicts with.
#include <bit>
#include <optional>
#include <utility>

#include "emu/async/cluster.h"
#include "emu/check/checker.h"
#include "emu/check/order.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

// Of the word at `word`, the bytes that [address, end) covers.
std::uint8_t bytes_of(std::uint64_t word, std::uint64_t address, std::uint64_t end) {
  const std::uint64_t first = std::max(address, word) - word;
  const std::uint64_t last = std::min(end, word + 4) - word;
  return static_cast<std::uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
}

// True when every access of `record` by others than the issuing lane happened before.
bool is_before(const AccessRecord& record, const AccessRecord& now, const AccessIssuer& issuer) {
  std::uint32_t others = record.lanes;
  if (record.async) {
    // Slots of asynchronous operations are reused: only the same operation is ordered with itself.
    if (now.async && record.block == now.block && record.actor == now.actor &&
        record.epoch == now.epoch)
      return true;
  } else if (record.block == issuer.block && record.actor == issuer.warp) {
    others &= ~issuer.lanes;
    if (others == 0) return true;
  }
  return covers(issuer.known.happened, record.who(), others);
}

// Two accesses that may happen at the same time. Lanes that were meant to run in step are not.
bool may_meet(const AccessRecord& a, const AccessRecord& b) {
  if (!a.strong || !b.strong) return false;
  if (a.block != b.block) return !a.of_block && !b.of_block;
  return a.actor != b.actor || !a.is_volatile || !b.is_volatile;
}

// One number for a word of global memory or of a block's shared memory; never 0.
std::uint64_t flag_address(const Block* target, std::uint64_t word) {
  return target == nullptr ? word : kSharedWindow | (target->linear_index() + 1) << 24 | word;
}

bool is_same_instruction(const AccessRecord& a, const AccessRecord& b) {
  return a.block == b.block && a.actor == b.actor && a.epoch == b.epoch && a.pc == b.pc;
}

}  // namespace

// Compares with everything remembered about the word, forgets what this access supersedes, and
// remembers it.
void Checker::touch(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                    const Range& range, bool proxy) {
  const bool is_shared = range.target != nullptr;
  bool merged = false;
  word.filter([&](AccessRecord& record) {
    if (!merged && !now.async && record.write == now.write && record.strong == now.strong &&
        is_same_instruction(record, now)) {
      // Lanes of one instruction: if several store to one place, one wins, which is expected.
      record.lanes |= now.lanes;
      record.bytes |= now.bytes;
      return merged = true;
    }
    // A thread that has seen a flag comes after the store that set it.
    const bool read_as_flag = record.strong && record.write && !record.async && !now.strong &&
                              issuer.flag == flag_address(range.target, range.word);
    const bool before = read_as_flag || is_before(record, now, issuer);
    const bool overlap = (record.bytes & now.bytes) != 0;
    if (overlap && (record.write || now.write)) {
      if (!before && !may_meet(record, now)) {
        conflict(now, record, range, false);
        return false;  // reported once; what follows from it is not news
      }
      // Ordered, but the caches of that path need not have heard of it.
      if (before && now.constant) stale_read(now, record, range);
      // Ordered, but in the view of ordinary accesses only.
      if (before && now.async && proxy && !record.async && (is_shared || record.write) &&
          !covers(issuer.known.proxied, record.who(), record.lanes))
        conflict(now, record, range, true);
    }
    // An atomic comes after the atomics whose value it read, and so does whatever its thread does
    // to the word next: a last block may reset the ticket that it drew.
    const bool seen = before || (record.atomic && now.atomic && !record.async && !now.async);
    // An ordinary access is remembered beside the atomics that follow it in its own thread: others
    // that come without knowing of it race with it, not with them.
    const bool superseded = seen && (record.bytes & ~now.bytes) == 0 &&
                            (now.write || !record.write) && (record.strong || !now.strong);
    return !superseded;
  });
  if (!merged) word.add(now);
}

void Checker::access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
                     std::size_t bytes, AccessKind kind) {
  BlockChecks& checks = *warp.block().checks();
  checks.dirty[warp.index()] |= mask;
  const std::uint32_t pc = warp.current_pc();
  const std::uint8_t order = order_of(pc);
  const bool is_shared = target != nullptr;
  Shadow& shadow = is_shared ? target->checks()->shared : global_;
  AccessRecord now;
  now.block = static_cast<std::uint32_t>(warp.block().linear_index());
  now.actor = static_cast<std::uint16_t>(warp.index());
  now.pc = pc;
  now.write = kind != AccessKind::kLoad;
  now.atomic = kind == AccessKind::kAtomic;
  now.strong = now.atomic || (order & Order::kStrong) != 0;
  now.constant = !is_shared && (order & Order::kReadOnly) != 0;
  now.of_block = !is_shared && now.strong && (order & Order::kOfBlock) != 0;
  now.is_volatile = !now.atomic && (order & Order::kVolatile) != 0;
  std::optional<UnwrittenRead> unwritten;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    // A release publishes itself, too.
    now.epoch = checks.epochs[warp.index()];
    if (now.strong) synchronise(warp, target, lane, address, kind, order);
    now.lanes = 1u << lane;
    std::uint64_t& flag = checks.polled[warp.index() * kWarpSize + lane];
    if (now.strong && kind != AccessKind::kStore) flag = flag_address(target, address / 4 * 4);
    const AccessIssuer issuer{checks.lanes[warp.index() * kWarpSize + lane], now.block, now.actor,
                              now.lanes, flag};
    if (is_shared && now.write) store_over_mbarrier(warp, *target, lane, address, bytes);
    bool uninitialised = false;
    for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
      ShadowWord& word = shadow.word(at);
      now.bytes = bytes_of(at, address, address + bytes);
      if (kind != AccessKind::kStore && is_shared && (now.bytes & ~word.written) != 0)
        uninitialised = true;
      if (now.write) word.written |= now.bytes;
      touch(word, now, issuer, {address, bytes, target, at}, false);
    }
    if (!uninitialised) continue;
    if (!context_->program->opcodes[pc].starts_with("ld.")) {
      read_uninitialised(now, address, bytes, is_shared);
      continue;
    }
    if (!unwritten) unwritten = UnwrittenRead{pc, 0, bytes, {}};
    unwritten->lanes |= now.lanes;
    unwritten->addresses[lane] = address;
  }
  if (unwritten) note_unwritten(warp, *unwritten);
  if (is_shared) return;
  // Global memory is initialised unless the host said that it is not.
  GlobalMemory::Impl& memory = *context_->memory;
  if (!memory.has_undefined()) return;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    now.lanes = 1u << lane;
    if (kind != AccessKind::kStore && memory.is_undefined(addresses.at[lane], bytes))
      read_uninitialised(now, addresses.at[lane], bytes, false);
    if (now.write) memory.define(addresses.at[lane], bytes);
  }
}

void Checker::async_access(Warp& warp, std::uint32_t lane, const Actor& actor,
                           std::uint64_t address, std::size_t bytes, bool write, bool proxy,
                           bool combines) {
  BlockChecks& checks = *warp.block().checks();
  Block* target = nullptr;
  if ((address & kWindowMask) == kSharedWindow) {
    const std::uint64_t tag = address >> kClusterTagShift & 0xff;
    target = tag == 0 ? &warp.block() : &warp.block().cluster().block(tag - 1);
    address &= kSharedOffsetMask;
  }
  Shadow& shadow = target != nullptr ? target->checks()->shared : global_;
  AccessRecord now;
  now.block = static_cast<std::uint32_t>(actor.block);
  now.actor = actor.index;
  now.epoch = actor.epoch;
  now.pc = warp.current_pc();
  now.lanes = proxy ? kAllLanes : 1u << lane;
  now.write = write;
  now.async = true;
  now.strong = now.atomic = combines;
  const AccessIssuer issuer{checks.lanes[warp.index() * kWarpSize + lane],
                            static_cast<std::uint32_t>(warp.block().linear_index()),
                            static_cast<std::uint16_t>(warp.index()), 1u << lane};
  if (write && target != nullptr) store_over_mbarrier(warp, *target, lane, address, bytes);
  bool uninitialised = false;
  for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
    ShadowWord& word = shadow.word(at);
    now.bytes = bytes_of(at, address, address + bytes);
    if (!write && target != nullptr && (now.bytes & ~word.written) != 0) uninitialised = true;
    if (write) word.written |= now.bytes;
    touch(word, now, issuer, {address, bytes, target, at}, proxy);
  }
  if (uninitialised) read_uninitialised(now, address, bytes, true);
  if (target != nullptr || !context_->memory->has_undefined()) return;
  if (!write && context_->memory->is_undefined(address, bytes))
    read_uninitialised(now, address, bytes, false);
  if (write) context_->memory->define(address, bytes);
}

}  // namespace warpwright::emu
