// The wgmma that one warp of a warpgroup has issued, and the products that its waits are for. A
// product needs all four warps: no wait for it ends before each of them has issued it.
//
// Products are counted from the start of the block, so a product has the same number in all warps
// of a warpgroup.
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
  // The number of products that must be complete when all groups but the last `unfinished` are
  // complete; 0: nothing to wait for.
  [[nodiscard]] std::uint32_t awaited(std::uint32_t unfinished) const {
    return commits_.size() <= unfinished ? 0 : commits_[commits_.size() - 1 - unfinished];
  }
  // Called when that wait is over.
  void waited(std::uint32_t unfinished) {
    if (commits_.size() > unfinished)
      commits_.erase(commits_.begin(), commits_.end() - static_cast<std::ptrdiff_t>(unfinished));
  }
  void clear() { *this = {}; }

 private:
  std::uint32_t issued_ = 0;
  std::vector<std::uint32_t> commits_;  // by group not waited for yet: products issued until then
};

}  // namespace warpwright::emu
