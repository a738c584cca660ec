// What came before an access, among those that are remembered of its word.
#pragma once

#include "emu/check/checker.h"
#include "emu/check/cover_memo.h"

namespace warpwright::emu {

// Counting bits is a call where the host's instruction for it may not be used.
inline bool is_one_lane(std::uint32_t lanes) { return lanes != 0 && (lanes & (lanes - 1)) == 0; }

// True when every access of `record` by others than the issuing lane happened before.
[[gnu::always_inline]] inline bool is_before(const AccessRecord& record, const AccessRecord& now,
                                             const AccessIssuer& issuer) {
  // As most are: of the own block, and known of in all lanes.
  if (record.block == issuer.block && record.epoch <= issuer.epochs[record.actor]) return true;
  std::uint32_t others = record.lanes;
  if (record.async) {
    // Slots of asynchronous operations are reused: only the same operation is ordered with itself.
    if (now.async && record.block == now.block && record.actor == now.actor &&
        record.epoch == now.epoch)
      return true;
  } else if (record.block == issuer.block && record.actor == issuer.warp &&
             is_one_lane(issuer.lanes)) {
    // A lane comes after itself; each of several comes after itself alone.
    others &= ~issuer.lanes;
    if (others == 0) return true;
  }
  if (issuer.memo != nullptr)
    return issuer.memo->covers(issuer.known.happened, record.who(), others);
  return covers(issuer.known.happened, record.who(), others);
}

// A plain read that comes after the one write of its word, if any, and before any other read by its
// warp: as most do. False where more has to be looked at, and then nothing has been done.
[[gnu::always_inline]] inline bool read_after_write(ShadowWord& word, const AccessRecord& now,
                                                    const AccessIssuer& issuer,
                                                    std::size_t few_records) {
  if (now.constant || word.readers != ReadSets::kNobody || word.records() >= few_records ||
      !word.is_new_to(now))
    return false;
  const AccessRecord* write = word.only_write();
  if (write != nullptr && !is_before(*write, now, issuer)) return false;
  word.add(now);
  return true;
}

// A plain write that comes after all that is remembered of its word, and so stands for it. False
// where more has to be looked at, and then nothing has been done.
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

// Two accesses that may happen at the same time. Lanes that were meant to run in step are not.
[[nodiscard]] inline bool may_meet(const AccessRecord& a, const AccessRecord& b) {
  if ((a.guess && b.atomic) || (b.guess && a.atomic)) return true;
  if (!a.strong || !b.strong) return false;
  if (a.block != b.block) return !a.of_block && !b.of_block;
  return a.actor != b.actor || !a.is_volatile || !b.is_volatile;
}

// A lane's read of a flag by the instruction that has read it before, in a loop that waits: nothing
// else is remembered of the word than that and a write, which may meet it and stays either way, so
// that nothing changes. False where more has to be looked at.
[[gnu::always_inline]] inline bool read_flag_again(const ShadowWord& word, const AccessRecord& now,
                                                   const AccessIssuer& issuer) {
  const auto [read, write] = word.read_beside_write();
  if (read == nullptr || !read->strong || !is_same_instruction(*read, now) ||
      (now.lanes & ~read->lanes) != 0 || (now.bytes & ~read->bytes) != 0)
    return false;
  // Where something was heard, the write may be a message that nothing delivers.
  const bool is_of_interest =
      write != nullptr &&
      (!may_meet(*write, now) || (!write->atomic && issuer.known.heard != nullptr));
  return !is_of_interest;
}

}  // namespace warpwright::emu
