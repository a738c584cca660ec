// Shadow memory: for every four bytes, the accesses that no later one has superseded, and which
// bytes have been written. Pages are created when they are first accessed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/check/access_record.h"
#include "emu/check/read_sets.h"

namespace warpwright::emu {

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
