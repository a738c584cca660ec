// Shadow memory: for every four bytes, the accesses that no later one has superseded, and which
// bytes have been written. Pages are created when they are first accessed. Words that very many
// threads read hold the number of a set of readers instead of their records.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/model/clock.h"

namespace warpwright::emu {

// The record that the checkers keep of one memory access.
struct AccessRecord {
  std::uint32_t block = 0;  // linear index in the grid
  std::uint32_t epoch = 0;
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;  // of the warp, or of the copy
  std::uint16_t actor = 0;
  std::uint8_t bytes = 0;  // of the word, one bit each
  bool write : 1 = false;
  bool strong : 1 = false;    // atomic, volatile, relaxed, acquire, release
  bool atomic : 1 = false;    // reads and writes at once
  bool async : 1 = false;     // by a copy or a wgmma
  bool constant : 1 = false;  // a load through the read-only data path
  bool of_block : 1 = false;  // strong among the threads of its block only
  bool is_volatile : 1 = false;
  bool guess : 1 = false;  // a plain load in front of an atomicCAS loop, where those are trusted

  [[nodiscard]] Actor who() const { return {block, actor, epoch}; }
  // A read that never conflicts with other reads.
  [[nodiscard]] bool is_plain_read() const { return !write && !strong && !async; }
  bool operator==(const AccessRecord&) const = default;
};

[[nodiscard]] inline bool is_same_actor(const AccessRecord& a, const AccessRecord& b) {
  return a.block == b.block && a.actor == b.actor && !a.async && !b.async;
}
[[nodiscard]] inline bool is_same_instruction(const AccessRecord& a, const AccessRecord& b) {
  return a.block == b.block && a.actor == b.actor && a.epoch == b.epoch && a.pc == b.pc;
}
// True if one record can represent both lanes of one instruction. Lanes that access different bytes
// of a word (1- and 2-byte elements) have a record each, so that the accessor of each byte is kept.
[[nodiscard]] inline bool joins(const AccessRecord& a, const AccessRecord& b) {
  return a.bytes == b.bytes && is_same_instruction(a, b);
}

// The readers of words that very many threads read and none writes. Adjacent words are mostly read
// by the same threads, so their sets of readers are equal: each set is stored once, and a word
// holds its number. A set is a tree with sixteen branches per node, keyed by the bits of the
// reader, so it does not depend on the order of the reads, and one more reader costs a path, not a
// copy. Its leaves are the reads of one actor, the last one first.
class ReadSets {
 public:
  using Set = std::uint32_t;
  static constexpr Set kNobody = 0;

  // Returns the set with this read added. It replaces an earlier read of the same lanes, because
  // every write that is ordered after the new read is ordered after the earlier one, too.
  [[nodiscard]] Set with(Set set, const AccessRecord& read);

  // All reads of the set; those of one actor are in their order.
  [[nodiscard]] std::vector<AccessRecord> readers(Set set) const;

 private:
  // The lowest bit of a set's number says whether it is a leaf; the others are an index and 1.
  using Branches = std::array<Set, 16>;
  struct Leaf {
    Set earlier = kNobody;  // a leaf of the same actor
    AccessRecord read;
    bool operator==(const Leaf&) const = default;
  };
  // Stores each value once and returns its index. Values are never removed.
  template <class Value>
  class Kept {
   public:
    [[nodiscard]] std::size_t index_of(const Value& value);
    [[nodiscard]] const Value& operator[](std::size_t index) const { return values_[index]; }

   private:
    std::vector<Value> values_;
    std::vector<std::uint32_t> places_;  // 0: free; otherwise an index and 1
  };
  struct Memo {
    Leaf key;
    Set result = kNobody;
  };
  [[nodiscard]] static std::uint64_t hash_of(const Leaf& leaf);
  [[nodiscard]] static std::uint64_t hash_of(const Branches& branches);
  [[nodiscard]] static bool is_leaf(Set set) { return (set & 1) != 0; }
  [[nodiscard]] const Leaf& leaf(Set set) const { return leaves_[(set >> 1) - 1]; }
  [[nodiscard]] Set inserted(Set set, int depth, const AccessRecord& read);
  [[nodiscard]] Set leaf_with(Set set, const AccessRecord& read);
  [[nodiscard]] Set leaf_of(const Leaf& leaf);
  [[nodiscard]] Set branch_of(const Branches& branches);
  void append_readers(Set set, std::vector<AccessRecord>& all) const;

  Kept<Leaf> leaves_;
  Kept<Branches> branches_;
  std::vector<Memo> latest_;  // what with() has answered; empty before the first
};

// Most words need one record at a time; only words that are read by many threads need more.
class ShadowWord {
 public:
  // Bytes that have been written by any thread, one bit each.
  std::uint8_t written = 0;
  // Plain reads that are not among the records, because there are too many.
  ReadSets::Set readers = ReadSets::kNobody;

  // Passes every record to `keep`, which returns whether it stays and may change it.
  template <class Keep>
  void filter(Keep&& keep) {
    if (!used_) return;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (!keep(more_[i])) continue;
      if (kept != i) more_[kept] = more_[i];
      ++kept;
    }
    count_ = kept;
    if (keep(first_)) return;
    used_ = count_ > 0;
    if (used_)
      first_ = more_[--count_];
    else
      forget_kinds();
  }
  // Passes every record to `look`.
  template <class Look>
  void each(Look&& look) {
    if (!used_) return;
    look(first_);
    for (std::uint32_t i = 0; i < count_; ++i) look(more_[i]);
  }
  // Whether `is` holds for all of the records.
  template <class Is>
  [[nodiscard]] bool all(Is&& is) const {
    if (!used_) return true;
    if (!is(first_)) return false;
    for (std::uint32_t i = 0; i < count_; ++i)
      if (!is(more_[i])) return false;
    return true;
  }
  // Replaces all records by this one.
  void replace(const AccessRecord& record) {
    used_ = false;
    count_ = 0;
    forget_kinds();
    add(record);
  }
  [[gnu::always_inline]] void add(const AccessRecord& record) {
    if (!record.write) read_by_ |= bit_of(record);
    if (!used_) {
      first_ = record;
      used_ = true;
      return;
    }
    others_write_ |= record.write;
    if (count_ == room_) grow();
    more_[count_++] = record;
  }
  // Whether at most one record is relevant to this read, a write: all other records are reads by
  // other warps.
  [[nodiscard]] bool is_new_to(const AccessRecord& read) const {
    return !others_write_ && (read_by_ & bit_of(read)) == 0;
  }
  // The write that is relevant if is_new_to(); null if there is none.
  [[nodiscard]] const AccessRecord* only_write() const {
    return used_ && first_.write ? &first_ : nullptr;
  }
  // The only record, a read, or the only two, a read and a write. Both are null in other cases.
  struct ReadBesideWrite {
    const AccessRecord* read = nullptr;
    const AccessRecord* write = nullptr;
  };
  [[nodiscard]] ReadBesideWrite read_beside_write() const {
    if (!used_ || count_ > 1) return {};
    if (count_ == 0) return {first_.write ? nullptr : &first_, nullptr};
    if (first_.write == more_[0].write) return {};
    return first_.write ? ReadBesideWrite{&more_[0], &first_} : ReadBesideWrite{&first_, &more_[0]};
  }
  // Resets the word to untouched; keeps the memory for several records.
  void clear() {
    written = 0;
    readers = ReadSets::kNobody;
    used_ = false;
    count_ = 0;
    forget_kinds();
  }
  [[nodiscard]] std::size_t records() const { return used_ ? 1 + std::size_t{count_} : 0; }

 private:
  [[gnu::noinline]] void grow() {
    const std::uint32_t room = room_ == 0 ? 4 : 2 * room_;
    auto more = std::make_unique<AccessRecord[]>(room);
    std::copy_n(more_.get(), count_, more.get());
    more_ = std::move(more);
    room_ = room;
  }

  // Warps with the same index in consecutive blocks mostly read the same global memory.
  static std::uint32_t bit_of(const AccessRecord& record) {
    return 1u << ((record.actor + 9 * record.block) % 32);
  }
  void forget_kinds() {
    others_write_ = false;
    read_by_ = 0;
  }

  bool used_ = false;
  // A summary of the records, so that not every access has to go through all of them. It may still
  // include records that have been removed.
  bool others_write_ = false;           // a write among `more_`
  std::uint32_t read_by_ = 0;           // bits of the readers; several readers may share a bit
  std::uint32_t count_ = 0, room_ = 0;  // of `more_`
  AccessRecord first_;
  std::unique_ptr<AccessRecord[]> more_;
};

class Shadow {
 public:
  [[nodiscard]] ShadowWord& word(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    if (number != last_number_ || last_ == nullptr) {
      std::unique_ptr<Page>& page = page_of(number);
      if (page == nullptr) page = fresh_page();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[address / 4 % kWords];
  }
  // Null if nothing on the page has been accessed.
  [[nodiscard]] ShadowWord* find(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    if (number < kLowPages ? low_.empty() : !pages_.contains(number)) return nullptr;
    Page* page = page_of(number).get();
    return page == nullptr ? nullptr : &(*page)[address / 4 % kWords];
  }
  // Whether any byte in these words has been written.
  [[nodiscard]] bool any_written(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin / 4 * 4; at < end;) {
      const ShadowWord* word = find(at);
      if (word != nullptr && word->written != 0) return true;
      at = word != nullptr ? at + 4 : (at / kPageBytes + 1) * kPageBytes;
    }
    return false;
  }
  // Forgets everything; keeps some of the pages for reuse.
  void clear() {
    for (std::unique_ptr<Page>& page : low_)
      if (page != nullptr && spare_.size() < kSparePages) spare_.push_back(std::move(page));
    low_.clear();
    pages_.clear();
    last_ = nullptr;
  }

 private:
  static constexpr std::uint64_t kWords = 256;
  static constexpr std::uint64_t kPageBytes = kWords * 4;
  static constexpr std::uint64_t kLowPages = 256;  // more than any block's shared memory
  static constexpr std::size_t kSparePages = 64;
  using Page = std::array<ShadowWord, kWords>;

  std::unique_ptr<Page> fresh_page() {
    if (spare_.empty()) return std::make_unique<Page>();
    std::unique_ptr<Page> page = std::move(spare_.back());
    spare_.pop_back();
    for (ShadowWord& word : *page) word.clear();
    return page;
  }

  std::unique_ptr<Page>& page_of(std::uint64_t number) {
    if (number >= kLowPages) return pages_[number];
    if (low_.empty()) low_.resize(kLowPages);
    return low_[number];
  }

  std::vector<std::unique_ptr<Page>> low_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::vector<std::unique_ptr<Page>> spare_;
  Page* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

}  // namespace warpwright::emu
