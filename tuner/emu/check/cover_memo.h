// A cache of Clock::covers(): most words that one instruction accesses were last accessed by the
// same few warps.
#pragma once

#include <array>
#include <cstdint>

#include "emu/model/clock.h"

namespace warpwright::emu {

class CoverMemo {
 public:
  // Clears the cache. No clock may be released between this call and the next one.
  void begin() { ++turn_; }
  [[nodiscard]] bool covers(const ClockRef& clock, const Actor& actor, std::uint32_t lanes) {
    if (clock == nullptr) return false;
    Entry& entry = entries_[actor.index % entries_.size()];
    if (entry.turn != turn_ || entry.clock != clock.get() || entry.block != actor.block ||
        entry.index != actor.index || entry.epoch != actor.epoch || entry.lanes != lanes)
      entry = {turn_,
               clock.get(),
               actor.block,
               actor.epoch,
               lanes,
               actor.index,
               clock->covers(actor, lanes)};
    return entry.covered;
  }

 private:
  struct Entry {
    std::uint64_t turn = 0;
    const Clock* clock = nullptr;
    std::uint64_t block = 0;
    std::uint32_t epoch = 0, lanes = 0;
    std::uint16_t index = 0;
    bool covered = false;
  };
  std::uint64_t turn_ = 0;
  std::array<Entry, 16> entries_{};
};

}  // namespace warpwright::emu
