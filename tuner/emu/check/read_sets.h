// Who has read words that very many read and nobody writes. Words that lie together are mostly read
// by the same threads, so the sets of their readers are the same: each set is kept once, and a word
// has its number. A set is a tree of sixteen branches by the bits of who reads, so that it is the
// same whatever the order in which they came, and one more reader costs a path, not a copy. Its
// leaves are the reads of one actor, the last one first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/check/access_record.h"

namespace warpwright::emu {

class ReadSets {
 public:
  using Set = std::uint32_t;
  static constexpr Set kNobody = 0;

  // The set with this read as well. It takes the place of an earlier read of the same lanes, which
  // every write that comes after it comes after, too. `lanes` are those that read at once.
  [[nodiscard]] Set with(Set set, const AccessRecord& read);

  // Those of one actor in their order.
  [[nodiscard]] std::vector<AccessRecord> readers(Set set) const;

 private:
  // The lowest bit of a set's number says whether it is a leaf; the others are an index and 1.
  using Branches = std::array<Set, 16>;
  struct Leaf {
    Set earlier = kNobody;  // a leaf of the same actor
    AccessRecord read;
    bool operator==(const Leaf&) const = default;
  };
  // Keeps each value once, and says which one it is. Nothing is ever taken out.
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

}  // namespace warpwright::emu
