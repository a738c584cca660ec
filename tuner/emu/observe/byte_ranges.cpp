#include "emu/observe/byte_ranges.h"

#include <algorithm>

namespace warpwright::emu {
namespace {

constexpr std::size_t kMostPending = 4096;

}  // namespace

void ByteRanges::add(std::uint64_t first, std::uint64_t end) {
  if (first >= end) return;
  // Warps often continue where they stopped.
  if (!ranges_.empty() && first >= ranges_.back().first && first <= ranges_.back().end) {
    ranges_.back().end = std::max(ranges_.back().end, end);
    return;
  }
  ranges_.push_back({first, end});
  if (ranges_.size() - merged_ > std::max(kMostPending, merged_)) merge();
}

void ByteRanges::add(const std::vector<ByteRange>& ranges) {
  for (const ByteRange& range : ranges) add(range.first, range.end);
}

const std::vector<ByteRange>& ByteRanges::get() {
  merge();
  return ranges_;
}

void ByteRanges::merge() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges_.size(); ++i) {
    if (ranges_[i].first <= ranges_[last].end) {
      ranges_[last].end = std::max(ranges_[last].end, ranges_[i].end);
    } else {
      ranges_[++last] = ranges_[i];
    }
  }
  if (!ranges_.empty()) ranges_.resize(last + 1);
  merged_ = ranges_.size();
}

}  // namespace warpwright::emu
