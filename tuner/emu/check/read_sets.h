// The readers of words that very many threads read and none writes. Adjacent words are mostly read
// by the same threads, so their sets of readers are equal: each set is stored once, and a word
// holds its number. A set is a tree with sixteen branches per node, keyed by the bits of the
// reader, so it does not depend on the order of the reads, and one more reader costs a path, not a
// copy. Its leaves are the reads of one actor, the last one first.
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

}  // namespace warpwright::emu
