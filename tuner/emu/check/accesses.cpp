#include "emu/check/accesses.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "emu/async/encoded_map.h"
#include "emu/check/block_checks.h"
#include "emu/check/bounds.h"
#include "emu/check/initialisation.h"
#include "emu/check/lifetimes.h"
#include "emu/check/mbarrier_use.h"
#include "emu/check/orders.h"
#include "emu/check/races.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"
#include "emu/exec/cluster.h"

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
                        const AccessIssuer& issuer, std::uint8_t given) {
  std::size_t done = 0;
  for (; done < bytes; done += 4, ++words) {
    if ((words->written | given) != kWholeWord || !read_after_write(*words, now, issuer)) break;
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

Accesses::Accesses(const LaunchContext& context, bool trust_cas_reads, const Parts& parts)
    : to_(parts),
      groups_(context.program->code.size()),
      cas_reads_(trust_cas_reads ? find_cas_reads(*context.program) : std::vector<bool>{}) {}

void Accesses::start(Block& block) {
  block.checks()->shared.clear();
  to_.races.note_change();
}

// Returns the subset of `lanes` with the same address and the same clocks as the first of them.
std::uint32_t Accesses::alike(Warp& warp, std::uint32_t lanes,
                              const LaneAddresses& addresses) const {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  std::uint32_t same = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    same |= static_cast<std::uint32_t>(addresses.at[lane] == addresses.at[first]) << lane;
  return to_.orders.agreeing(warp, same & lanes);
}

const LaneGroups* Accesses::groups_of(const Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                                      const LaneAddresses& addresses) {
  if (lanes == 0 || (lanes & ~to_.orders.agreed(warp)) != 0) return nullptr;
  std::unique_ptr<LaneGroups>& groups = groups_[pc];
  if (groups == nullptr) groups = std::make_unique<LaneGroups>();
  return groups->set(lanes, addresses) ? groups.get() : nullptr;
}

AccessRecord Accesses::record_of(Warp& warp, const Block* target, std::uint32_t pc, AccessKind kind,
                                 std::uint8_t order) {
  const bool is_shared = target != nullptr;
  AccessRecord now = access_of(warp, pc, 0);
  now.epoch = to_.orders.epoch_of(warp);
  now.write = kind != AccessKind::kLoad;
  now.atomic = kind == AccessKind::kAtomic;
  now.strong = now.atomic || (order & Order::kStrong) != 0;
  now.constant = !is_shared && (order & Order::kReadOnly) != 0;
  now.of_block = !is_shared && now.strong && (order & Order::kOfBlock) != 0;
  now.is_volatile = !now.atomic && (order & Order::kVolatile) != 0;
  now.guess = !cas_reads_.empty() && cas_reads_[pc];
  return now;
}

void Accesses::access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
                      const LanesAccess& what) {
  const auto [pc, bytes, kind, phase] = what;
  const std::uint8_t order = to_.orders.order_of(pc);
  AccessRecord now = record_of(warp, target, pc, kind, order);
  if (!now.strong || now.write) to_.races.note_change();
  if (now.strong && now.write) {
    ++strong_writes_;
    to_.orders.note_strong_stores(warp, target, mask, addresses, now.atomic);
  }
  std::optional<UnwrittenRead> unwritten;
  memo_.begin();
  const LaneGroups* groups = now.strong ? nullptr : groups_of(warp, pc, mask, addresses);
  if (groups != nullptr) {
    touch_groups(warp, target, mask, *groups, addresses, what, now, unwritten);
    mask = 0;
  }
  for (std::uint32_t left = mask; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = addresses.at[lane];
    // A release publishes itself, too.
    now.epoch = to_.orders.epoch_of(warp);
    if (now.strong) to_.orders.synchronise(warp, target, lane, address, kind, order);
    // Lanes with the same address and the same clocks are processed together.
    now.lanes = now.strong ? 1u << lane : alike(warp, left, addresses);
    left &= ~now.lanes;
    const AccessIssuer issuer{to_.orders.known(warp, lane),
                              now.block,
                              now.actor,
                              now.lanes,
                              to_.orders.last_flag(warp, lane),
                              now.strong ? nullptr : &memo_};
    touch_together(warp, target, address, what, now, issuer, unwritten);
  }
  if (unwritten) to_.initialisation.track(warp, *unwritten);
}

// All lanes of the groups have the same clocks.
void Accesses::touch_groups(Warp& warp, Block* target, std::uint32_t mask, const LaneGroups& groups,
                            const LaneAddresses& addresses, const LanesAccess& what,
                            AccessRecord& now, std::optional<UnwrittenRead>& unwritten) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(mask));
  AccessIssuer issuer{to_.orders.known(warp, first),     now.block, now.actor, 0,
                      to_.orders.last_flag(warp, first), &memo_};
  if (const ClockRef& happened = issuer.known.happened; happened != nullptr)
    issuer.epochs = happened->epochs_of(now.block);
  const bool is_shared = target != nullptr;
  // An access inside `simple` needs no check other than that of its words; most do.
  Bounds::Range simple{0, 0};
  const bool writes = what.kind == AccessKind::kStore;
  if ((writes || what.kind == AccessKind::kLoad) && what.phase == LanesAccess::kCounts &&
      what.bytes % 4 == 0) {
    if (!is_shared) {
      simple.end = ~std::uint64_t{0};
    } else if (target == &warp.block() && (!writes || target->mbarriers().all().empty())) {
      simple = to_.bounds.likely(now.pc);
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
    const std::size_t done = writes ? write_simply(words, what.bytes, now, issuer)
                                    : read_simply(words, what.bytes, now, issuer, given);
    if (done < what.bytes)
      touch_together(warp, target, address, what, now, issuer, unwritten, done);
  }
}

// Handles lanes with the same address and the same clocks; the first `done` bytes are done already.
void Accesses::touch_together(Warp& warp, Block* target, std::uint64_t address,
                              const LanesAccess& what, AccessRecord& now,
                              const AccessIssuer& issuer, std::optional<UnwrittenRead>& unwritten,
                              std::size_t done) {
  const auto [pc, bytes, kind, phase] = what;
  const bool is_shared = target != nullptr;
  const std::uint32_t together = now.lanes;
  Shadow& shadow = is_shared ? target->checks()->shared : global_;
  const bool is_plain_read = now.is_plain_read();
  const bool is_flag_read = now.strong && !now.write;
  const bool is_plain_write = now.write && !now.strong;
  if (is_shared && phase != LanesAccess::kSettles) to_.bounds.check(now, address, bytes);
  if (is_shared && target != &warp.block()) {
    for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1)
      to_.lifetimes.note_peer(*target, warp.block(), now.actor,
                              static_cast<std::uint32_t>(std::countr_zero(lanes)), now.epoch, pc);
  }
  if (is_shared && now.write) {
    for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1)
      to_.mbarriers.store_over(warp, *target, static_cast<std::uint32_t>(std::countr_zero(lanes)),
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
        to_.races.touch_flag(word, now, issuer, {address, bytes, target, at});
      continue;
    }
    if (phase == LanesAccess::kIsTentative ||
        (is_plain_read && read_after_write(word, now, issuer)) ||
        (is_plain_write && write_after_all(word, now, issuer)) ||
        to_.races.touch(word, now, issuer, {address, bytes, target, at}, false))
      continue;
    for (std::uint32_t lanes = together; lanes != 0; lanes &= lanes - 1) {
      now.lanes = lanes & -lanes;
      AccessIssuer one = issuer;
      one.lanes = now.lanes;
      (void)to_.races.touch(word, now, one, {address, bytes, target, at}, false);
    }
    now.lanes = together;
  }
  if (uninitialised) to_.initialisation.read_by_lanes(now, address, bytes, unwritten);
}

void Accesses::async_access(Warp& warp, std::uint32_t lane, const Actor& actor,
                            std::uint64_t address, std::size_t bytes, bool write, bool proxy,
                            bool combines) {
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
  const AccessIssuer issuer{to_.orders.known(warp, lane),
                            static_cast<std::uint32_t>(warp.block().linear_index()),
                            static_cast<std::uint16_t>(warp.index()), 1u << lane};
  if (target != nullptr) to_.bounds.check(now, address, bytes);
  if (target != nullptr && target != &warp.block())
    to_.lifetimes.note_peer(*target, warp.block(), actor.index, proxy ? 0 : lane, actor.epoch,
                            now.pc);
  if (write && target != nullptr) to_.mbarriers.store_over(warp, *target, lane, address, bytes);
  bool uninitialised = false;
  to_.races.note_change();
  for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
    ShadowWord& word = shadow.word(at);
    now.bytes = bytes_of(at, address, address + bytes);
    if (!write && target != nullptr && (now.bytes & ~word.written) != 0) uninitialised = true;
    if (write) word.written |= now.bytes;
    (void)to_.races.touch(word, now, issuer, {address, bytes, target, at}, proxy);
  }
  if (uninitialised) to_.initialisation.read_by_copy(now, address, bytes);
  if (target == nullptr) to_.initialisation.access_global_by_copy(now, address, bytes);
}

// Checks the memory of the map itself, not the tensor that it describes. Maps in parameters or
// constant memory are never written.
void Accesses::use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  if ((address & kWindowMask) != kGlobalBase) return;
  const Knowledge& known = to_.orders.known(warp, lane);
  AccessRecord now = access_of(warp, warp.current_pc(), 1u << lane);
  now.async = true;
  to_.initialisation.read_global(now, address, kTensorMapBytes);
  for (std::uint64_t at = address; at < address + kTensorMapBytes; at += 4) {
    ShadowWord* word = global_.find(at);
    if (word != nullptr && to_.races.touch_map(*word, now, known.mapped, address)) return;
  }
}

}  // namespace warpwright::emu
