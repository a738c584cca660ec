// atom.cas and atom.exch of 128 bits.
#include <bit>
#include <cstring>
#include <mutex>

#include "emu/exec/address.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {
namespace {

// No such atomics of the host are available with every compiler. PTX does not define how they
// interact with atomics of other sizes, so they need to exclude only each other.
std::mutex& wide_atomics() {
  static std::mutex mutex;
  return mutex;
}

struct Quad {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  [[nodiscard]] bool operator==(const Quad&) const = default;
};

}  // namespace

void exec_wide_atomic(Warp& warp, const Inst& inst) {
  warp.note_shared_progress();
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  LanePointers pointers;
  resolve(warp, space, warp.mask(), addresses, sizeof(Quad), AccessKind::kAtomic, pointers);
  const std::uint32_t* rows = warp.extra(inst);
  const bool compares = inst.count == 6;
  const std::uint32_t* results = rows + inst.count - 2;
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto operand = [&](int i) {
      return Quad{warp.wide(rows[2 * i])[lane], warp.wide(rows[2 * i + 1])[lane]};
    };
    const Quad b = operand(0);
    const Quad next = compares ? operand(1) : b;
    Quad old;
    {
      const std::lock_guard lock(wide_atomics());
      std::memcpy(&old, pointers.at[lane], sizeof old);
      if (!compares || old == b) std::memcpy(pointers.at[lane], &next, sizeof next);
    }
    if (results[0] == kNoRegister) continue;
    warp.wide(results[0])[lane] = old.low;
    warp.wide(results[1])[lane] = old.high;
  }
}

}  // namespace warpwright::emu
