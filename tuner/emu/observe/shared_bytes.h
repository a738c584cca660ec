// The history of each byte of a block's shared memory: the set of its facts (a warp accessed it
// in some way during some phase), and how often it was read and written. Bytes with the same facts
// share one pattern, so that a byte costs three numbers however much happens to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emu/observe/observation.h"

namespace warpwright::emu {

struct SharedFact {
  std::uint32_t phase = 0;
  Way way{};
  std::uint8_t warp = 0;  // kForeignWarp for those of other blocks
  friend auto operator<=>(const SharedFact&, const SharedFact&) = default;
};
inline constexpr std::uint8_t kForeignWarp = 32;

class SharedBytes {
 public:
  explicit SharedBytes(std::size_t bytes);

  // One request for these bytes; `counted` is false if another warp's request stands for it.
  void access(std::uint64_t first, std::uint64_t end, const SharedFact& fact, bool counted);

  [[nodiscard]] std::size_t size() const { return pattern_.size(); }
  [[nodiscard]] std::uint32_t pattern(std::size_t byte) const { return pattern_[byte]; }
  [[nodiscard]] std::uint64_t read_count(std::size_t byte) const { return reads_[byte]; }
  [[nodiscard]] std::uint64_t write_count(std::size_t byte) const { return writes_[byte]; }
  // Ascending. Pattern 0 is that of bytes that nothing accessed.
  [[nodiscard]] const std::vector<SharedFact>& facts(std::uint32_t pattern) const {
    return patterns_[pattern];
  }
  [[nodiscard]] std::size_t patterns() const { return patterns_.size(); }

 private:
  [[nodiscard]] std::uint32_t with(std::uint32_t pattern, const SharedFact& fact);

  std::vector<std::uint32_t> pattern_, reads_, writes_;  // by byte
  std::vector<std::vector<SharedFact>> patterns_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;  // patterns of a hash
};

}  // namespace warpwright::emu
