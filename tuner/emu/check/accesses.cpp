// The checker's side of memory: what an access conflicts with.
#include <bit>
#include <optional>
#include <utility>

#include "emu/async/cluster.h"
#include "emu/async/encoded_map.h"
#include "emu/check/checker.h"
#include "emu/check/cover_memo.h"
#include "emu/check/order.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

constexpr std::uint8_t kWholeWord = 0xf;

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
  } else if (record.block == issuer.block && record.actor == issuer.warp &&
             std::has_single_bit(issuer.lanes)) {
    // A lane comes after itself; each of several comes after itself alone.
    others &= ~issuer.lanes;
    if (others == 0) return true;
  }
  if (issuer.memo != nullptr)
    return issuer.memo->covers(issuer.known.happened, record.who(), others);
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

// Whether no two lanes access the same place, as far as a glance tells.
bool addresses_ascend(const LaneAddresses& addresses, std::uint32_t mask) {
  std::uint64_t last = 0;
  bool ascends = true;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    ascends = ascends && (addresses.at[lane] > last || last == 0);
    last = addresses.at[lane] + 1;
  }
  return ascends;
}

}  // namespace

bool Checker::polls(std::uint32_t pc) {
  const auto [known, fresh] = polls_.try_emplace(pc, false);
  if (fresh) known->second = is_polled(*context_->program, pc);
  return known->second;
}

// Of `lanes`, those that access what the first of them accesses and know what it knows.
std::uint32_t Checker::alike(Warp& warp, std::uint32_t lanes,
                             const LaneAddresses& addresses) const {
  const BlockChecks& checks = *warp.block().checks();
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::size_t base = warp.index() * kWarpSize;
  std::uint32_t same = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    same |= static_cast<std::uint32_t>(addresses.at[lane] == addresses.at[first]) << lane;
  same &= lanes;
  for (std::uint32_t others = same & ~(1u << first); others != 0; others &= others - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(others));
    if (checks.polled[base + lane] != checks.polled[base + first] ||
        !(checks.lanes[base + lane] == checks.lanes[base + first]))
      same &= ~(1u << lane);
  }
  return same;
}

// Compares with everything remembered about the word, forgets what this access supersedes, and
// remembers it. False when it conflicts and is of several lanes: nothing is said then, because
// some of them may be innocent.
bool Checker::touch(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                    const Range& range, bool proxy) {
  const bool is_shared = range.target != nullptr;
  const bool is_plain_read = now.is_plain_read();
  const bool of_several = !now.async && !std::has_single_bit(now.lanes);
  bool merged = false;
  bool clean = true;
  const auto stays = [&](AccessRecord& record) {
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
        if (of_several) {
          clean = false;
          return true;
        }
        conflict(now, record, range, false);
        return false;  // reported once; what follows from it is not news
      }
      // Both are relaxed, and a flag that was set after the store and read before the load says
      // that they are in order. Words that are waited for themselves need none.
      if (!before && record.write && !record.atomic && !now.write &&
          covers(issuer.known.heard, record.who(), record.lanes) && !polls(now.pc))
        unordered_message(now, record, range);
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
  };
  if (is_plain_read) {
    touch_by_read(word, now, issuer, stays);
    return clean;
  }
  word.filter(stays);
  if (now.write && word.readers != ReadSets::kNobody) {
    std::vector<AccessRecord> readers =
        read_sets_.readers(std::exchange(word.readers, ReadSets::kNobody));
    for (AccessRecord& reader : readers)
      if (stays(reader)) word.readers = read_sets_.with(word.readers, reader);
  }
  if (!clean) return false;
  if (!merged) word.add(now);
  return true;
}

// Reads do not conflict, and that others' come before is of no interest until they are many: only
// what was written is looked at closely.
template <class Stays>
void Checker::touch_by_read(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                            Stays&& stays) {
  AccessRecord* own = nullptr;  // an earlier read that this one continues, or stands for
  bool forgotten = false;
  word.each([&](AccessRecord& record) {
    if (record.write) {
      if ((!now.constant && is_before(record, now, issuer)) || stays(record)) return;
      record.lanes = 0;
      forgotten = true;
    } else if (record.block == now.block && record.actor == now.actor && !record.async) {
      const bool continued = !record.strong && record.epoch == now.epoch && record.pc == now.pc;
      if (continued || ((record.lanes & ~now.lanes) == 0 && (record.bytes & ~now.bytes) == 0))
        own = &record;
    }
  });
  if (own != nullptr && !own->strong && is_same_instruction(*own, now)) {
    own->lanes |= now.lanes;
    own->bytes |= now.bytes;
  } else if (own != nullptr) {
    *own = now;
  }
  if (forgotten) word.filter([](AccessRecord& record) { return record.lanes != 0; });
  if (own != nullptr) return;
  if (word.readers == ReadSets::kNobody && word.records() >= kFewRecords) thin(word, now, issuer);
  if (word.readers != ReadSets::kNobody)
    word.readers = read_sets_.with(word.readers, now);
  else
    word.add(now);
}

// Before `now`, a plain read, is remembered: forgets reads that come before it, for it stands for
// them, and gives those that are left a number if they are still many.
void Checker::thin(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer) {
  std::size_t reads = 0;
  word.filter([&](AccessRecord& record) {
    if (!record.is_plain_read()) return true;
    if ((record.bytes & ~now.bytes) == 0 && is_before(record, now, issuer)) return false;
    ++reads;
    return true;
  });
  if (reads < kFewRecords) return;
  word.filter([&](AccessRecord& record) {
    if (!record.is_plain_read()) return true;
    word.readers = read_sets_.with(word.readers, record);
    return false;
  });
}

// The map's own memory, not what it describes. Parameters and constants are never written.
void Checker::use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  if ((address & kWindowMask) != kGlobalBase) return;
  const Knowledge& known = warp.block().checks()->lanes[warp.index() * kWarpSize + lane];
  const std::uint32_t pc = warp.current_pc();
  std::optional<AccessRecord> written;
  for (std::uint64_t at = address; at < address + kTensorMapBytes; at += 4) {
    ShadowWord* word = global_.find(at);
    if (word == nullptr) continue;
    word->filter([&](const AccessRecord& record) {
      if (record.write && !covers(known.mapped, record.who(), record.lanes)) written = record;
      return true;
    });
    if (written) break;
  }
  if (!written) return;
  AccessRecord now;
  now.block = static_cast<std::uint32_t>(warp.block().linear_index());
  now.actor = static_cast<std::uint16_t>(warp.index());
  now.pc = pc;
  now.lanes = 1u << lane;
  now.async = true;
  unfenced_map(now, *written, address);
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
  // Relaxed stores stand for what was done before them, and atomics of threads that make any.
  if (believes_ && now.strong && now.write) {
    std::uint32_t& told = checks.told[warp.index()];
    if (!now.atomic) told |= mask;
    if ((told & mask) != 0) tell(warp, target, told & mask, addresses);
  }
  std::optional<UnwrittenRead> unwritten;
  memo_.begin();
  const bool ascending = addresses_ascend(addresses, mask);
  for (std::uint32_t left = mask; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    // A release publishes itself, too.
    now.epoch = checks.epochs[warp.index()];
    if (now.strong) synchronise(warp, target, lane, address, kind, order);
    std::uint64_t& flag = checks.polled[warp.index() * kWarpSize + lane];
    if (now.strong && kind != AccessKind::kStore) flag = flag_address(target, address / 4 * 4);
    // Lanes that access one place and know the same are looked at together.
    std::uint32_t together = 1u << lane;
    if (!ascending && !now.strong) together = alike(warp, left, addresses);
    left &= ~together;
    now.lanes = together;
    if (is_shared) check_bounds(now, address, bytes);
    if (is_shared && target != &warp.block()) {
      for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1)
        note_peer(*target, warp.block(), now.actor,
                  static_cast<std::uint32_t>(std::countr_zero(lanes)), now.epoch, pc);
    }
    if (is_shared && now.write) {
      for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1)
        store_over_mbarrier(warp, *target, static_cast<std::uint32_t>(std::countr_zero(lanes)),
                            address, bytes);
    }
    const Knowledge& known = checks.lanes[warp.index() * kWarpSize + lane];
    const AccessIssuer issuer{known,    now.block, now.actor,
                              together, flag,      now.strong ? nullptr : &memo_};
    bool uninitialised = false;
    for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
      ShadowWord& word = shadow.word(at);
      now.bytes = bytes % 4 == 0 ? kWholeWord : bytes_of(at, address, address + bytes);
      if (kind != AccessKind::kStore && is_shared && (now.bytes & ~word.written) != 0)
        uninitialised = true;
      if (now.write) word.written |= now.bytes;
      now.lanes = together;
      if (touch(word, now, issuer, {address, bytes, target, at}, false)) continue;
      for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1) {
        now.lanes = lanes & -lanes;
        AccessIssuer one = issuer;
        one.lanes = now.lanes;
        (void)touch(word, now, one, {address, bytes, target, at}, false);
      }
    }
    if (!uninitialised) continue;
    now.lanes = together;
    if (!context_->program->opcodes[pc].starts_with("ld.")) {
      read_uninitialised(now, address, bytes, is_shared);
      continue;
    }
    if (!unwritten) unwritten = UnwrittenRead{pc, 0, bytes, {}};
    unwritten->lanes |= together;
    for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1)
      unwritten->addresses[static_cast<std::size_t>(std::countr_zero(lanes))] = address;
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
  if (target != nullptr) check_bounds(now, address, bytes);
  const std::uint32_t thread = warp.index() * kWarpSize + lane;
  issuers_[issuer_place(actor.block, actor.index)] = {actor.block, actor.epoch, thread,
                                                      actor.index};
  last_issuers_[now.pc] = thread;
  if (target != nullptr && target != &warp.block())
    note_peer(*target, warp.block(), actor.index, proxy ? 0 : lane, actor.epoch, now.pc);
  if (write && target != nullptr) store_over_mbarrier(warp, *target, lane, address, bytes);
  bool uninitialised = false;
  for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
    ShadowWord& word = shadow.word(at);
    now.bytes = bytes_of(at, address, address + bytes);
    if (!write && target != nullptr && (now.bytes & ~word.written) != 0) uninitialised = true;
    if (write) word.written |= now.bytes;
    (void)touch(word, now, issuer, {address, bytes, target, at}, proxy);
  }
  if (uninitialised) read_uninitialised(now, address, bytes, true);
  if (target != nullptr || !context_->memory->has_undefined()) return;
  if (!write && context_->memory->is_undefined(address, bytes))
    read_uninitialised(now, address, bytes, false);
  if (write) context_->memory->define(address, bytes);
}

}  // namespace warpwright::emu
