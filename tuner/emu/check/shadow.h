// Who touched a word of memory last: for every four bytes the accesses that no later one has
// superseded, and which bytes anybody has written. Kept in pages that exist once touched.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/clock.h"

namespace warpwright::emu {

struct AccessRecord {
  std::uint64_t block = 0;
  std::uint32_t epoch = 0;
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;  // of the warp, or of the copy
  std::uint16_t actor = 0;
  std::uint8_t bytes = 0;  // of the word, one bit each
  bool write : 1 = false;
  bool strong : 1 = false;  // atomic, volatile, relaxed, acquire, release
  bool atomic : 1 = false;  // reads and writes at once
  bool async : 1 = false;   // by a copy or a wgmma

  [[nodiscard]] Actor who() const { return {block, actor, epoch}; }
};

struct ShadowWord {
  std::vector<AccessRecord> records;
  std::uint8_t written = 0;  // bytes
};

class Shadow {
 public:
  [[nodiscard]] ShadowWord& word(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    if (number != last_number_ || last_ == nullptr) {
      std::unique_ptr<Page>& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[address / 4 % kWords];
  }
  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

 private:
  static constexpr std::uint64_t kWords = 256;
  static constexpr std::uint64_t kPageBytes = kWords * 4;
  using Page = std::array<ShadowWord, kWords>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

}  // namespace warpwright::emu
