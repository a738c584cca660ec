// The checker's rules for tensor maps that the launch itself has written.
#include <optional>

#include "emu/async/encoded_map.h"
#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

// Checks the memory of the map itself, not the tensor that it describes. Maps in parameters or
// constant memory are never written.
void Checker::use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  if ((address & kWindowMask) != kGlobalBase) return;
  const Knowledge& known = warp.block().checks()->lanes[warp.index() * kWarpSize + lane];
  AccessRecord now;
  now.block = static_cast<std::uint32_t>(warp.block().linear_index());
  now.actor = static_cast<std::uint16_t>(warp.index());
  now.pc = warp.current_pc();
  now.lanes = 1u << lane;
  now.async = true;
  if (context_->memory->has_marks()) read_marked(now, address, kTensorMapBytes);
  std::optional<AccessRecord> written;
  for (std::uint64_t at = address; at < address + kTensorMapBytes; at += 4) {
    ShadowWord* word = global_.find(at);
    if (word == nullptr) continue;
    word->filter([&](const AccessRecord& record) {
      if (record.write && !covers(known.mapped, record.who(), record.lanes)) written = record;
      return true;
    });
    if (written) break;
  }
  if (written) unfenced_map(now, *written, address);
}

}  // namespace warpwright::emu
