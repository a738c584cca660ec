// The checker's rules for clusters: shared memory lives as long as its block, so a block must not
// exit before it has synchronised with every peer that uses its memory.
#include <fmt/format.h>

#include <utility>

#include "emu/async/cluster.h"
#include "emu/check/checker.h"

namespace warpwright::emu {

void Checker::note_peer(Block& owner, const Block& peer, std::uint16_t actor, std::uint32_t lane,
                        std::uint32_t epoch, std::uint32_t pc) {
  std::vector<PeerAccess>& all = owner.checks()->peers;
  if (all.empty()) all.resize(std::size_t{kActors} * kWarpSize * owner.cluster().size());
  all[(std::size_t{peer.rank()} * kActors + actor) * kWarpSize + lane] = {epoch, pc};
}

void Checker::use_peer_mbarrier(Warp& warp, std::uint32_t lane, Block& owner) {
  if (&owner == &warp.block()) return;
  note_peer(owner, warp.block(), static_cast<std::uint16_t>(warp.index()), lane,
            warp.block().checks()->epochs[warp.index()], warp.current_pc());
}

// The last warp of the block has exited. Everything in the clocks of its threads happened before.
void Checker::end_block(Block& block) {
  end_wgmma(block);
  BlockChecks& checks = *block.checks();
  if (checks.peers.empty()) return;
  Knowledge all;
  for (const Knowledge& lane : checks.lanes) all.happened = joined(all.happened, lane.happened);
  for (std::size_t i = 0; i < checks.peers.size(); ++i) {
    const PeerAccess& access = checks.peers[i];
    if (access.epoch == 0) continue;
    const auto lane = static_cast<std::uint32_t>(i % kWarpSize);
    const auto actor = static_cast<std::uint16_t>(i / kWarpSize % kActors);
    const Block& peer = block.cluster().block(i / kWarpSize / kActors);
    const bool is_copy = actor >= kFirstSlot;
    if (covers(all.happened, {peer.linear_index(), actor, access.epoch},
               is_copy ? kAllLanes : 1u << lane))
      continue;
    Hazard hazard;
    hazard.kind = HazardKind::kClusterExit;
    hazard.message = fmt::format(
        "`{}` accesses the shared memory of block {} of the cluster, and nothing keeps that block "
        "from exiting before",
        context_->program->opcodes[access.pc], block.rank());
    hazard.advice =
        "let all blocks of the cluster pass a barrier of the cluster after their last access to "
        "each other's shared memory (cluster.sync(), or barrier.cluster.arrive and .wait)";
    hazard.here = side(peer.linear_index(), access.pc, is_copy ? 0 : actor * kWarpSize + lane,
                       is_copy ? "asynchronous copy" : "access");
    add(std::move(hazard), access.pc, access.pc);
  }
  checks.peers.clear();
}

}  // namespace warpwright::emu
