// A set of bytes as ascending ranges. Additions are collected and merged now and then, so that
// adding in any order is cheap.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/observe/observation.h"

namespace warpwright::emu {

class ByteRanges {
 public:
  void add(std::uint64_t first, std::uint64_t end);
  void add(const std::vector<ByteRange>& ranges);
  // Ascending; neighbours that touch are one range. The reference is valid until the next add().
  [[nodiscard]] const std::vector<ByteRange>& get();
  [[nodiscard]] bool empty() const { return ranges_.empty(); }

 private:
  void merge();

  std::vector<ByteRange> ranges_;
  std::size_t merged_ = 0;  // the number of leading ranges that are in order
};

}  // namespace warpwright::emu
