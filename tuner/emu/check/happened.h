// Decides which of the recorded accesses to a word happened before an access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emu/check/lookups.h"
#include "emu/check/shadow.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

// The issuer of an access, or of the operation that makes it. Everything in the lane's clocks, and
// everything that the lane did itself, happened before the access. All `lanes` have equal clocks.
struct AccessIssuer {
  const Knowledge& known;
  std::uint32_t block = 0;
  std::uint16_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint64_t flag = 0;  // the word that the lane read last as a flag, 0 none
  CoverMemo* memo = nullptr;
  // The epochs of the own block that `known.happened` covers in all lanes, if looked up already.
  const std::uint32_t* epochs = kNoEpochs.data();
};

// A word with this many records no longer takes the fast path for reads.
inline constexpr std::size_t kFewRecords = 16;

// std::popcount is a function call when the host's popcnt instruction may not be used.
inline bool is_one_lane(std::uint32_t lanes) { return lanes != 0 && (lanes & (lanes - 1)) == 0; }

// True when every access of `record` by lanes other than the issuing one happened before.
[[gnu::always_inline]] inline bool is_before(const AccessRecord& record, const AccessRecord& now,
                                             const AccessIssuer& issuer) {
  // The common case: an access of the own block that the clocks of all lanes cover.
  if (record.block == issuer.block && record.epoch <= issuer.epochs[record.actor]) return true;
  std::uint32_t others = record.lanes;
  if (record.async) {
    // Slots of asynchronous operations are reused: only the same operation is ordered with itself.
    if (now.async && record.block == now.block && record.actor == now.actor &&
        record.epoch == now.epoch)
      return true;
  } else if (record.block == issuer.block && record.actor == issuer.warp &&
             is_one_lane(issuer.lanes)) {
    // A lane is ordered after itself; each of several lanes only after itself.
    others &= ~issuer.lanes;
    if (others == 0) return true;
  }
  if (issuer.memo != nullptr)
    return issuer.memo->covers(issuer.known.happened, record.who(), others);
  return covers(issuer.known.happened, record.who(), others);
}

// The common case: a plain read that happens after the only write of its word, if any, and is the
// first read by its warp. Returns false, without having changed anything, in every other case.
[[gnu::always_inline]] inline bool read_after_write(ShadowWord& word, const AccessRecord& now,
                                                    const AccessIssuer& issuer) {
  if (now.constant || word.readers != ReadSets::kNobody || word.records() >= kFewRecords ||
      !word.is_new_to(now))
    return false;
  const AccessRecord* write = word.only_write();
  if (write != nullptr && !is_before(*write, now, issuer)) return false;
  word.add(now);
  return true;
}

// A plain write that happens after every recorded access of its word, and replaces the records.
// Returns false, without having changed anything, in every other case.
[[nodiscard, gnu::always_inline]] inline bool write_after_all(ShadowWord& word,
                                                              const AccessRecord& now,
                                                              const AccessIssuer& issuer) {
  if (word.readers != ReadSets::kNobody) return false;
  const bool after_all = word.all([&](const AccessRecord& record) {
    return !record.strong && !record.async && (record.bytes & ~now.bytes) == 0 &&
           !is_same_instruction(record, now) && is_before(record, now, issuer);
  });
  if (after_all) word.replace(now);
  return after_all;
}

// True for accesses that may happen at the same time. Volatile accesses of lanes of one warp, which
// were meant to run in lockstep, are not.
[[nodiscard]] inline bool may_meet(const AccessRecord& a, const AccessRecord& b) {
  if ((a.guess && b.atomic) || (b.guess && a.atomic)) return true;
  if (!a.strong || !b.strong) return false;
  if (a.block != b.block) return !a.of_block && !b.of_block;
  return a.actor != b.actor || !a.is_volatile || !b.is_volatile;
}

// A repeated read of a flag by the same instruction and lane, in a loop that waits. The word has no
// other records than the earlier read and a write that may meet it and stays in any case, so
// nothing changes. Returns false in every other case.
[[gnu::always_inline]] inline bool read_flag_again(const ShadowWord& word, const AccessRecord& now,
                                                   const AccessIssuer& issuer) {
  const auto [read, write] = word.read_beside_write();
  if (read == nullptr || !read->strong || !is_same_instruction(*read, now) ||
      (now.lanes & ~read->lanes) != 0 || (now.bytes & ~read->bytes) != 0)
    return false;
  // If the lane has read a relaxed flag, the write may be a message without an order.
  const bool is_of_interest =
      write != nullptr &&
      (!may_meet(*write, now) || (!write->atomic && issuer.known.heard != nullptr));
  return !is_of_interest;
}

}  // namespace warpwright::emu
