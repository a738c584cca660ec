// The checker's handling of memory accesses by lanes and copies.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "emu/exec/cluster.h"
#include "emu/check/checker.h"
#include "emu/check/happened.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

constexpr std::uint8_t kWholeWord = 0xf;

// The bytes of the word at `word` that [address, end) covers, one bit each.
std::uint8_t bytes_of(std::uint64_t word, std::uint64_t address, std::uint64_t end) {
  const std::uint64_t first = std::max(address, word) - word;
  const std::uint64_t last = std::min(end, word + 4) - word;
  return static_cast<std::uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
}

// Returns how many of the leading bytes a plain access could handle on the fast path.
std::size_t read_simply(ShadowWord* words, std::size_t bytes, const AccessRecord& now,
                        const AccessIssuer& issuer, std::uint8_t given, std::size_t few_records) {
  std::size_t done = 0;
  for (; done < bytes; done += 4, ++words) {
    if ((words->written | given) != kWholeWord ||
        !read_after_write(*words, now, issuer, few_records))
      break;
  }
  return done;
}
std::size_t write_simply(ShadowWord* words, std::size_t bytes, const AccessRecord& now,
                         const AccessIssuer& issuer) {
  std::size_t done = 0;
  for (; done < bytes && write_after_all(*words, now, issuer); done += 4, ++words)
    words->written = kWholeWord;
  return done;
}

}  // namespace

// Returns the subset of `lanes` with the same address and the same clocks as the first of them.
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

std::uint32_t Checker::agreed(const Warp& warp) const {
  BlockChecks& checks = *warp.block().checks();
  std::uint32_t& known = checks.agreed[warp.index()];
  if (known != 0) return known;
  const std::size_t base = warp.index() * kWarpSize;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const bool same = checks.polled[base + lane] == checks.polled[base] &&
                      checks.lanes[base + lane] == checks.lanes[base];
    known |= static_cast<std::uint32_t>(same) << lane;
  }
  return known;
}

const LaneGroups* Checker::groups_of(const Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                                     const LaneAddresses& addresses) {
  if (lanes == 0 || (lanes & ~agreed(warp)) != 0) return nullptr;
  std::unique_ptr<LaneGroups>& groups = groups_[pc];
  if (groups == nullptr) groups = std::make_unique<LaneGroups>();
  return groups->set(lanes, addresses) ? groups.get() : nullptr;
}

void Checker::access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
                     std::size_t bytes, AccessKind kind) {
  warp.block().checks()->dirty[warp.index()] |= mask;
  const std::uint32_t pc = warp.current_pc();
  const bool tentative =
      !tentative_loads_.empty() && tentative_loads_[pc] && mask != 0 && target == &warp.block();
  touch_lanes(warp, target, mask, addresses,
              {pc, bytes, kind, tentative ? LanesAccess::kIsTentative : LanesAccess::kCounts});
  if (tentative) note_tentative(warp, pc, mask, addresses.at[std::countr_zero(mask)], bytes);
  if (target == nullptr) look_at_marks(warp, mask, addresses, bytes, kind);
}

// Global memory counts as initialised unless the host called forget() for it; the bytes that
// earlier launches left in variables of the module are marked.
void Checker::look_at_marks(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                            std::size_t bytes, AccessKind kind) {
  GlobalMemory::Impl& memory = *context_->memory;
  if (mask == 0 || !memory.has_marks()) return;
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses.at[std::countr_zero(left)];
    first = std::min(first, address);
    last = std::max(last, address);
  }
  if (!memory.undefined.may_be_in(first, last + bytes) &&
      !memory.kept.may_be_in(first, last + bytes))
    return;
  AccessRecord now = record_of(warp, nullptr, warp.current_pc(), kind);
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    now.lanes = 1u << lane;
    if (kind != AccessKind::kStore) read_marked(now, addresses.at[lane], bytes);
    if (now.write) memory.define(addresses.at[lane], bytes);
  }
}

void Checker::read_marked(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const GlobalMemory::Impl& memory = *context_->memory;
  if (memory.undefined.any(address, bytes)) read_uninitialised(now, address, bytes, false);
  if (memory.kept.any(address, bytes)) read_kept(now, address, bytes);
}

AccessRecord Checker::record_of(Warp& warp, const Block* target, std::uint32_t pc,
                                AccessKind kind) {
  const std::uint8_t order = order_of(pc);
  const bool is_shared = target != nullptr;
  AccessRecord now;
  now.block = static_cast<std::uint32_t>(warp.block().linear_index());
  now.actor = static_cast<std::uint16_t>(warp.index());
  now.epoch = warp.block().checks()->epochs[warp.index()];
  now.pc = pc;
  now.write = kind != AccessKind::kLoad;
  now.atomic = kind == AccessKind::kAtomic;
  now.strong = now.atomic || (order & Order::kStrong) != 0;
  now.constant = !is_shared && (order & Order::kReadOnly) != 0;
  now.of_block = !is_shared && now.strong && (order & Order::kOfBlock) != 0;
  now.is_volatile = !now.atomic && (order & Order::kVolatile) != 0;
  now.guess = !cas_reads_.empty() && cas_reads_[pc];
  return now;
}

void Checker::touch_lanes(Warp& warp, Block* target, std::uint32_t mask,
                          const LaneAddresses& addresses, const LanesAccess& what) {
  const auto [pc, bytes, kind, phase] = what;
  BlockChecks& checks = *warp.block().checks();
  const std::uint8_t order = order_of(pc);
  AccessRecord now = record_of(warp, target, pc, kind);
  if (now.strong && now.write) ++strong_writes_;
  if (!now.strong || now.write) ++changes_;
  // A relaxed store stands for everything that its thread did before it; so does an atomic of a
  // thread that has made a relaxed store.
  if (believes_ && now.strong && now.write) {
    std::uint32_t& told = checks.told[warp.index()];
    if (!now.atomic) told |= mask;
    if ((told & mask) != 0) tell(warp, target, told & mask, addresses);
  }
  std::optional<UnwrittenRead> unwritten;
  memo_.begin();
  const std::size_t base = warp.index() * kWarpSize;
  const LaneGroups* groups = now.strong ? nullptr : groups_of(warp, pc, mask, addresses);
  if (groups != nullptr) {
    touch_groups(warp, target, mask, *groups, addresses, what, now, unwritten);
    mask = 0;
  }
  for (std::uint32_t left = mask; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    // A release publishes itself, too.
    now.epoch = checks.epochs[warp.index()];
    if (now.strong) synchronise(warp, target, lane, address, kind, order);
    std::uint64_t& flag = checks.polled[base + lane];
    if (now.strong && kind != AccessKind::kStore) {
      flag = flag_address(target, address / 4 * 4);
      checks.agreed[warp.index()] = 0;
    }
    // Lanes with the same address and the same clocks are processed together.
    now.lanes = now.strong ? 1u << lane : alike(warp, left, addresses);
    left &= ~now.lanes;
    const AccessIssuer issuer{checks.lanes[base + lane],    now.block, now.actor, now.lanes, flag,
                              now.strong ? nullptr : &memo_};
    touch_together(warp, target, address, what, now, issuer, unwritten);
  }
  if (unwritten) note_unwritten(warp, *unwritten);
}

// All lanes of the groups have the same clocks.
void Checker::touch_groups(Warp& warp, Block* target, std::uint32_t mask, const LaneGroups& groups,
                           const LaneAddresses& addresses, const LanesAccess& what,
                           AccessRecord& now, std::optional<UnwrittenRead>& unwritten) {
  const BlockChecks& checks = *warp.block().checks();
  const std::size_t first = warp.index() * kWarpSize + std::countr_zero(mask);
  AccessIssuer issuer{checks.lanes[first], now.block, now.actor, 0, checks.polled[first], &memo_};
  if (const ClockRef& happened = issuer.known.happened; happened != nullptr)
    issuer.epochs = happened->epochs_of(now.block);
  const bool is_shared = target != nullptr;
  // An access inside `simple` needs no check other than that of its words; most do.
  SharedBounds simple{0, 0};
  const bool writes = what.kind == AccessKind::kStore;
  if ((writes || what.kind == AccessKind::kLoad) && what.phase == LanesAccess::kCounts &&
      what.bytes % 4 == 0) {
    if (!is_shared) {
      simple.end = ~std::uint64_t{0};
    } else if (target == &warp.block() && (!writes || target->mbarriers().all().empty())) {
      simple = likely_bounds_[now.pc];
    }
  }
  Shadow& shadow = is_shared ? target->checks()->shared : global_;
  // The bytes that may be read without having been written.
  const std::uint8_t given = is_shared ? 0 : kWholeWord;
  // Set once, not for each group: copying a record right after a partial write stalls the host.
  now.bytes = kWholeWord;
  for (std::size_t group = 0; mask != 0; ++group) {
    const std::uint64_t address = addresses.at[std::countr_zero(mask)];
    issuer.lanes = now.lanes = groups[group];
    mask &= ~now.lanes;
    if (address < simple.begin || address + what.bytes > simple.end) {
      touch_together(warp, target, address, what, now, issuer, unwritten);
      continue;
    }
    // Accesses are aligned, so their words are adjacent.
    ShadowWord* words = &shadow.word(address);
    const std::size_t done = writes
                                 ? write_simply(words, what.bytes, now, issuer)
                                 : read_simply(words, what.bytes, now, issuer, given, kFewRecords);
    if (done < what.bytes)
      touch_together(warp, target, address, what, now, issuer, unwritten, done);
  }
}

// Handles lanes with the same address and the same clocks; the first `done` bytes are done already.
void Checker::touch_together(Warp& warp, Block* target, std::uint64_t address,
                             const LanesAccess& what, AccessRecord& now, const AccessIssuer& issuer,
                             std::optional<UnwrittenRead>& unwritten, std::size_t done) {
  const auto [pc, bytes, kind, phase] = what;
  const bool is_shared = target != nullptr;
  const std::uint32_t together = now.lanes;
  Shadow& shadow = is_shared ? target->checks()->shared : global_;
  const bool is_plain_read = now.is_plain_read();
  const bool is_flag_read = now.strong && !now.write;
  const bool is_plain_write = now.write && !now.strong;
  if (is_shared && phase != LanesAccess::kSettles) check_bounds(now, address, bytes);
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
  bool uninitialised = false;
  // Set once, not for each word: copying a record right after a partial write stalls the host.
  now.bytes = kWholeWord;
  for (std::uint64_t at = address / 4 * 4 + done; at < address + bytes; at += 4) {
    ShadowWord& word = shadow.word(at);
    if (bytes % 4 != 0) now.bytes = bytes_of(at, address, address + bytes);
    if (kind != AccessKind::kStore && is_shared && phase != LanesAccess::kSettles &&
        (now.bytes & ~word.written) != 0)
      uninitialised = true;
    if (now.write) word.written |= now.bytes;
    if (is_flag_read) {
      if (!read_flag_again(word, now, issuer))
        touch_flag(word, now, issuer, {address, bytes, target, at});
      continue;
    }
    if (phase == LanesAccess::kIsTentative ||
        (is_plain_read && read_after_write(word, now, issuer, kFewRecords)) ||
        (is_plain_write && write_after_all(word, now, issuer)) ||
        touch(word, now, issuer, {address, bytes, target, at}, false))
      continue;
    for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1) {
      now.lanes = lanes & -lanes;
      AccessIssuer one = issuer;
      one.lanes = now.lanes;
      (void)touch(word, now, one, {address, bytes, target, at}, false);
    }
    now.lanes = together;
  }
  if (!uninitialised) return;
  if (!context_->program->opcodes[pc].starts_with("ld."))
    return read_uninitialised(now, address, bytes, is_shared);
  if (!unwritten) unwritten = UnwrittenRead{pc, 0, bytes, {}};
  unwritten->lanes |= together;
  for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1)
    unwritten->addresses[static_cast<std::size_t>(std::countr_zero(lanes))] = address;
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
  // Recorded before anything is reported, because the messages name the thread.
  const std::uint32_t thread = warp.index() * kWarpSize + lane;
  if (issuers_.empty()) issuers_.resize(kIssuers);
  issuers_[issuer_place(actor.block, actor.index)] = {actor.block, actor.epoch, thread,
                                                      actor.index};
  last_issuers_[now.pc] = thread;
  if (target != nullptr) check_bounds(now, address, bytes);
  if (target != nullptr && target != &warp.block())
    note_peer(*target, warp.block(), actor.index, proxy ? 0 : lane, actor.epoch, now.pc);
  if (write && target != nullptr) store_over_mbarrier(warp, *target, lane, address, bytes);
  bool uninitialised = false;
  ++changes_;
  for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
    ShadowWord& word = shadow.word(at);
    now.bytes = bytes_of(at, address, address + bytes);
    if (!write && target != nullptr && (now.bytes & ~word.written) != 0) uninitialised = true;
    if (write) word.written |= now.bytes;
    (void)touch(word, now, issuer, {address, bytes, target, at}, proxy);
  }
  if (uninitialised) read_uninitialised(now, address, bytes, true);
  if (target != nullptr || !context_->memory->has_marks()) return;
  if (!write || combines) {
    now.write = false;  // for messages: the operation first reads the value that it adds to
    read_marked(now, address, bytes);
  }
  if (write) context_->memory->define(address, bytes);
}

}  // namespace warpwright::emu
