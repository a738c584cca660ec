// Compares an access with the recorded accesses of its word: those that conflict with it and that
// nothing orders are races. Drops the records that the access supersedes, and records it.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "emu/check/conflicts.h"
#include "emu/check/happened.h"
#include "emu/check/shadow.h"

namespace warpwright::emu {

class Races {
 public:
  Races(const LaunchContext& context, Conflicts& conflicts)
      : context_(&context), conflicts_(&conflicts) {}

  // Returns false, without a report, if an access of several lanes conflicts, because not all of
  // these lanes need be at fault. `proxy`: the access is by the asynchronous proxy.
  [[nodiscard]] bool touch(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                           const AccessRange& range, bool proxy);
  // Handles a read of a flag by one lane.
  void touch_flag(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                  const AccessRange& range);
  // Handles a word of a tensor map at `address` that a tensor copy reads; `mapped` are the accesses
  // that its lane has acquired for that. Returns true if the copy was reported.
  [[nodiscard]] bool touch_map(ShadowWord& word, const AccessRecord& now, const ClockRef& mapped,
                               std::uint64_t address);
  // Words change outside of touch(), or something is published: the next read of a flag is not a
  // repetition.
  void note_change() { ++changes_; }

 private:
  template <class Stays>
  void touch_by_read(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer,
                     Stays&& stays);
  void thin(ShadowWord& word, const AccessRecord& now, const AccessIssuer& issuer);
  [[nodiscard]] bool polls(std::uint32_t pc);

  const LaunchContext* context_;
  Conflicts* conflicts_;
  ReadSets read_sets_;
  // Incremented whenever the records of a word change or something is published. An instruction
  // that always changes many of them counts once.
  std::uint64_t changes_ = 0;
  // A read of a flag that changed nothing. The same read changes nothing as long as `changes_`
  // stays the same.
  struct IdleRead {
    const ShadowWord* word = nullptr;
    std::uint64_t changes = 0;  // changes_ at the time
    AccessRecord read;
    // The fields of AccessIssuer that the result depended on.
    std::uint64_t flag = 0;
    ClockRef happened, heard;
  };
  std::array<IdleRead, 2 * 32> idle_reads_;        // by lane, for both words of one that takes two
  std::unordered_map<std::uint32_t, bool> polls_;  // cached results of is_polled(), by load
};

}  // namespace warpwright::emu
