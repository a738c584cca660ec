// The mbarrier objects of one block, by their address in its shared memory.
//
// A phase is over when the expected number of arrivals is reached and every byte that asynchronous
// copies owe to it has been written; the next phase starts at once. The parity of a phase is the
// lowest bit of its number, counted from 0. State tokens have a format specific to this emulator:
// the phase in the upper half, and the missing arrivals in the lower half.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "emu/model/clock.h"

namespace warpwright::emu {

inline constexpr std::uint32_t kMaxArrivals = (1u << 20) - 1;
inline constexpr std::int64_t kMaxTransactionBytes = (1 << 20) - 1;

struct Mbarrier {
  std::uint32_t expected = 0;  // arrivals of a phase
  std::uint32_t missing = 0;   // arrivals of this phase
  std::int64_t bytes = 0;  // owed to this phase; negative when a copy was faster than its expect
  std::uint64_t phase = 0;
  std::uint32_t init_pc = 0;
  Actor initialiser;  // for checkers: who initialised it, and when
  std::uint32_t init_lane = 0;
  bool init_fenced = false;  // its initialiser has executed fence.mbarrier_init since
  Knowledge arriving;        // clocks that the arrivals of this phase publish
  Knowledge completed;       // clocks that a wait for the last phase acquires

  [[nodiscard]] std::uint64_t token() const { return (phase & 0x7fffffff) << 32 | missing; }
  [[nodiscard]] bool is_over(std::uint64_t token) const {
    return (phase & 0x7fffffff) != token >> 32;
  }
  [[nodiscard]] bool is_parity_over(std::uint32_t parity) const { return (phase & 1) != parity; }
};

class Mbarriers {
 public:
  void clear() { barriers_.clear(); }
  // Null if no barrier was initialised at this address.
  [[nodiscard]] Mbarrier* find(std::uint32_t address);
  Mbarrier& init(std::uint32_t address, std::uint32_t count, std::uint32_t pc);
  void invalidate(std::uint32_t address) { barriers_.erase(address); }
  [[nodiscard]] const std::unordered_map<std::uint32_t, Mbarrier>& all() const { return barriers_; }
  [[nodiscard]] std::unordered_map<std::uint32_t, Mbarrier>& all() { return barriers_; }

  // Return true when the change ended the phase. `arrivals` must not exceed `missing`.
  [[nodiscard]] static bool arrive(Mbarrier& barrier, std::uint32_t arrivals);
  [[nodiscard]] static bool add_bytes(Mbarrier& barrier, std::int64_t bytes);

 private:
  static bool settle(Mbarrier& barrier);
  std::unordered_map<std::uint32_t, Mbarrier> barriers_;
};

// "phase 3 (parity 1) lacks 2 of 4 arrivals and 1024 bytes"
[[nodiscard]] std::string describe(const Mbarrier& barrier);

}  // namespace warpwright::emu
