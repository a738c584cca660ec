// Shared memory lives as long as its block, so a block must not exit before it has synchronised
// with every cluster peer that uses its memory, and has waited for its bulk copies out of it.
#pragma once

#include <cstdint>

namespace warpwright::emu {

class Block;
class Findings;
class Orders;
class Warp;
struct AsyncOperation;
struct LaunchContext;

class Lifetimes {
 public:
  Lifetimes(const LaunchContext& context, const Orders& orders, Findings& findings)
      : context_(&context), orders_(&orders), findings_(&findings) {}
  void start(Block& block);

  // A lane or copy of `peer` accesses the shared memory of `owner`.
  void note_peer(Block& owner, const Block& peer, std::uint16_t actor, std::uint32_t lane,
                 std::uint32_t epoch, std::uint32_t pc);
  // A lane is about to publish its clocks at an mbarrier of `owner`, which may be a peer.
  void arrive_at_mbarrier(Warp& warp, std::uint32_t lane, Block& owner);
  // The last warp of the block has exited.
  void end_block(Block& block);
  // The kernel ended without waiting for the operation.
  void ended_unawaited(Block& block, const AsyncOperation& operation);

 private:
  const LaunchContext* context_;
  const Orders* orders_;
  Findings* findings_;
};

}  // namespace warpwright::emu
