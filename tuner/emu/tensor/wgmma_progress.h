// What one warp has issued of its warpgroup's wgmma, and what a wait of it is for. A product takes
// all four warps: no wait for it ends before each of them has issued it.
//
// Products are counted from the start of the block, so the warps of a group speak of the same one
// by the same number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwright::emu {

inline constexpr std::uint32_t kWarpgroupWarps = 4;

class WgmmaProgress {
 public:
  [[nodiscard]] std::uint32_t issued() const { return issued_; }
  void issue() { ++issued_; }
  void commit() { commits_.push_back(issued_); }
  // Products that must be over when all groups but the last `unfinished` are; 0: nothing to wait
  // for.
  [[nodiscard]] std::uint32_t awaited(std::uint32_t unfinished) const {
    return commits_.size() <= unfinished ? 0 : commits_[commits_.size() - 1 - unfinished];
  }
  // That wait is over.
  void waited(std::uint32_t unfinished) {
    if (commits_.size() > unfinished)
      commits_.erase(commits_.begin(), commits_.end() - static_cast<std::ptrdiff_t>(unfinished));
  }
  void clear() { *this = {}; }

 private:
  std::uint32_t issued_ = 0;
  std::vector<std::uint32_t> commits_;  // products issued by then, of groups not waited for
};

}  // namespace warpwright::emu
