#include "emu/check/lifetimes.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "emu/check/findings.h"
#include "emu/check/orders.h"
#include "emu/exec/async.h"
#include "emu/exec/block.h"
#include "emu/exec/cluster.h"

namespace warpwright::emu {

void Lifetimes::start(Block& block) { block.checks()->peers.clear(); }

void Lifetimes::note_peer(Block& owner, const Block& peer, std::uint16_t actor, std::uint32_t lane,
                          std::uint32_t epoch, std::uint32_t pc) {
  std::vector<PeerAccess>& all = owner.checks()->peers;
  if (all.empty()) all.resize(std::size_t{kActors} * kWarpSize * owner.cluster().size());
  all[(std::size_t{peer.rank()} * kActors + actor) * kWarpSize + lane] = {epoch, pc};
}

void Lifetimes::arrive_at_mbarrier(Warp& warp, std::uint32_t lane, Block& owner) {
  if (&owner == &warp.block()) return;
  note_peer(owner, warp.block(), static_cast<std::uint16_t>(warp.index()), lane,
            orders_->epoch_of(warp), warp.current_pc());
}

void Lifetimes::end_block(Block& block) {
  BlockChecks& checks = *block.checks();
  if (checks.peers.empty()) return;
  const ClockRef before = orders_->known_at_end(block);
  for (std::size_t i = 0; i < checks.peers.size(); ++i) {
    const PeerAccess& access = checks.peers[i];
    if (access.epoch == 0) continue;
    const auto lane = static_cast<std::uint32_t>(i % kWarpSize);
    const auto actor = static_cast<std::uint16_t>(i / kWarpSize % kActors);
    const Block& peer = block.cluster().block(i / kWarpSize / kActors);
    const bool is_copy = actor >= kFirstSlot;
    if (covers(before, {peer.linear_index(), actor, access.epoch},
               is_copy ? kAllLanes : 1u << lane))
      continue;
    Finding finding;
    finding.kind = FindingKind::kClusterExit;
    finding.message = fmt::format(
        "`{}` accesses the shared memory of block {} of the cluster, and nothing keeps that block "
        "from exiting before",
        context_->program->opcodes[access.pc], block.rank());
    finding.advice =
        "let all blocks of the cluster pass a barrier of the cluster after their last access to "
        "each other's shared memory (cluster.sync(), or barrier.cluster.arrive and .wait)";
    finding.here =
        findings_->side(peer.linear_index(), access.pc, is_copy ? 0 : actor * kWarpSize + lane,
                        is_copy ? "asynchronous copy" : "access");
    findings_->add(std::move(finding), access.pc, access.pc);
  }
  checks.peers.clear();
}

void Lifetimes::ended_unawaited(Block& block, const AsyncOperation& operation) {
  Finding finding;
  finding.kind = FindingKind::kMissingWait;
  finding.message =
      "the block ends although a bulk copy out of its shared memory was never waited for";
  finding.advice =
      "commit the group and execute cp.async.bulk.wait_group.read 0 before the issuing thread "
      "exits";
  finding.here = findings_->side(block.linear_index(), operation.pc,
                                 operation.warp * kWarpSize + operation.lane, "asynchronous copy");
  findings_->add(std::move(finding), operation.pc, operation.pc);
}

}  // namespace warpwright::emu
