#include "emu/exec/mbarrier.h"

#include <fmt/format.h>

namespace warpwright::emu {

Mbarrier* Mbarriers::find(std::uint32_t address) {
  const auto found = barriers_.find(address);
  return found == barriers_.end() ? nullptr : &found->second;
}

Mbarrier& Mbarriers::init(std::uint32_t address, std::uint32_t count, std::uint32_t pc) {
  Mbarrier& barrier = barriers_[address];
  barrier = {};
  barrier.expected = barrier.missing = count;
  barrier.init_pc = pc;
  return barrier;
}

bool Mbarriers::settle(Mbarrier& barrier) {
  if (barrier.missing != 0 || barrier.bytes != 0) return false;
  ++barrier.phase;
  barrier.missing = barrier.expected;
  barrier.completed.join(barrier.arriving);
  barrier.arriving = {};
  return true;
}

bool Mbarriers::arrive(Mbarrier& barrier, std::uint32_t arrivals) {
  barrier.missing -= arrivals;
  return settle(barrier);
}

bool Mbarriers::add_bytes(Mbarrier& barrier, std::int64_t bytes) {
  barrier.bytes += bytes;
  // Expecting more bytes never ends a phase; only arriving bytes do.
  return bytes < 0 && settle(barrier);
}

std::string describe(const Mbarrier& barrier) {
  std::string lacks;
  if (barrier.missing != 0)
    lacks = fmt::format("{} of {} arrivals", barrier.missing, barrier.expected);
  if (barrier.bytes > 0)
    lacks += fmt::format("{}{} bytes of copies", lacks.empty() ? "" : " and ", barrier.bytes);
  if (barrier.bytes < 0) {
    lacks += fmt::format("{}an expect_tx for {} bytes that were copied unannounced",
                         lacks.empty() ? "" : " and ", -barrier.bytes);
  }
  return fmt::format("phase {} (parity {}) lacks {}", barrier.phase, barrier.phase & 1,
                     lacks.empty() ? "nothing" : lacks);
}

}  // namespace warpwright::emu
