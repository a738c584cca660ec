// Who has read words that very many read and nobody writes. Words that lie together are read by the
// same threads in the same order, so the sets of their readers are the same: each set is kept once,
// as another set and one more reader, and a word has its number. What an operand of a matrix
// product costs is then one number for each of its words, and one look-up for each read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
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

  [[nodiscard]] std::vector<AccessRecord> readers(Set set) const;

 private:
  struct Node {
    Set others = kNobody;
    AccessRecord read;
  };
  struct Key {
    Set set = kNobody;
    AccessRecord read;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Memo {
    Key key;
    Set result = kNobody;
  };
  [[nodiscard]] Set extended(const Key& key);
  [[nodiscard]] Set added(Set others, const AccessRecord& read);

  std::vector<Node> nodes_{1};
  std::unordered_map<Key, Set, Hash> sets_;   // by what they are made of
  std::unordered_map<Key, Set, Hash> known_;  // what with() has answered
  std::array<Memo, 1024> latest_{};           // of that, with less to look up
};

}  // namespace warpwright::emu
