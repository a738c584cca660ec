#include "emu/check/races.h"

#include <bit>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "emu/check/orders.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"
#include "emu/exec/cluster.h"

namespace warpwright::emu {

bool Races::polls(std::uint32_t pc) {
  const auto [known, fresh] = polls_.try_emplace(pc, false);
  if (fresh) known->second = is_polled(*context_->program, pc);
  return known->second;
}

bool Races::touch(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                  const AccessRange& range, bool proxy) {
  const bool is_plain_read = now.is_plain_read();
  const bool is_shared = range.target != nullptr;
  const bool of_several = !now.async && !is_one_lane(now.lanes);
  bool merged = false;
  bool clean = true;
  const auto stays = [&](AccessRecord& record) {
    if (!merged && !now.async && record.write == now.write && record.strong == now.strong &&
        joins(record, now)) {
      // Lanes of one instruction: if several store to one address, one wins, which is expected.
      if ((now.lanes & ~record.lanes) != 0) ++changes_;
      record.lanes |= now.lanes;
      return merged = true;
    }
    // A thread that has read a flag is ordered after the store that set it.
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
        ++changes_;
        conflicts_->conflict(now, record, range, false);
        return false;  // reported once; its consequences are not reported again
      }
      // Both are relaxed, and a flag that was set after the store and read before the load suggests
      // an order that nothing guarantees. Words that are polled themselves need no order.
      if (!before && record.write && !record.atomic && !now.write &&
          covers(issuer.known.heard, record.who(), record.lanes) && !polls(now.pc)) {
        ++changes_;
        conflicts_->unordered_message(now, record, range);
      }
      // Ordered, but the read-only data cache may still hold the old value.
      if (before && now.constant) conflicts_->stale_read(now, record, range);
      // Ordered, but only for ordinary accesses, not for the asynchronous proxy.
      if (before && now.async && proxy && !record.async && (is_shared || record.write) &&
          !covers(issuer.known.proxied, record.who(), record.lanes))
        conflicts_->conflict(now, record, range, true);
    }
    // An atomic is ordered after the atomics whose value it read, and so are the later accesses of
    // its thread to the word: a last block may reset the ticket that it drew.
    const bool seen = before || (record.atomic && now.atomic && !record.async && !now.async);
    // The record of an ordinary access is kept when atomics of its own thread follow it: unordered
    // accesses by other threads race with it, not with the atomics.
    const bool superseded = seen && (record.bytes & ~now.bytes) == 0 &&
                            (now.write || !record.write) && (record.strong || !now.strong);
    if (superseded) ++changes_;
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
  if (!merged) {
    ++changes_;
    word.add(now);
  }
  return true;
}

// Waiting threads repeat the same read again and again, and the word already has the records of all
// earlier readers.
void Races::touch_flag(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                       const AccessRange& range) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(now.lanes));
  IdleRead& idle = idle_reads_[2 * lane + range.word / 4 % 2];
  if (idle.changes == changes_ && idle.word == &word && idle.read == now &&
      idle.flag == issuer.flag && idle.happened == issuer.known.happened &&
      idle.heard == issuer.known.heard)
    return;
  const std::uint64_t before = changes_;
  (void)touch(word, now, issuer, range, false);
  if (changes_ == before)
    idle = {&word, before, now, issuer.flag, issuer.known.happened, issuer.known.heard};
}

// If there are several such stores, the last one is reported.
bool Races::touch_map(ShadowWord& word, const AccessRecord& now, const ClockRef& mapped,
                      std::uint64_t address) {
  std::optional<AccessRecord> written;
  word.filter([&](const AccessRecord& record) {
    if (record.write && !covers(mapped, record.who(), record.lanes)) written = record;
    return true;
  });
  if (!written) return false;
  conflicts_->unfenced_map(now, *written, address);
  return true;
}

// Reads do not conflict with each other, and their order does not matter until there are many of
// them, so only the writes are examined.
template <class Stays>
void Races::touch_by_read(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                          Stays&& stays) {
  AccessRecord* own = nullptr;  // an earlier read that this one extends or replaces
  bool forgotten = false;
  word.each([&](AccessRecord& record) {
    if (record.write) {
      if ((!now.constant && is_before(record, now, issuer)) || stays(record)) return;
      record.lanes = 0;
      forgotten = true;
    } else if (record.block == now.block && record.actor == now.actor && !record.async) {
      if ((!record.strong && joins(record, now)) ||
          ((record.lanes & ~now.lanes) == 0 && (record.bytes & ~now.bytes) == 0))
        own = &record;
    }
  });
  if (own != nullptr && !own->strong && joins(*own, now)) {
    own->lanes |= now.lanes;
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

// Called before the plain read `now` is recorded. Drops the reads that happened before it, because
// it replaces them, and moves the other reads to a read set if there are still many.
void Races::thin(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer) {
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

}  // namespace warpwright::emu
