// Finds code that only worked by chance: accesses that nothing orders, reads of memory that was
// never written, and asynchronous operations whose results are used before their wait. The order
// comes from vector clocks (clock.h), so a race is found under any schedule; missing waits are
// found with a `LaunchOptions::seed` that completes copies late.
//
// The Checker passes each event of the machine on to the parts that need it, in a fixed order,
// which is that of the findings. It serves one launch on one host thread and never changes what a
// kernel computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emu/check/accesses.h"
#include "emu/check/block_checks.h"
#include "emu/check/bounds.h"
#include "emu/check/conflicts.h"
#include "emu/check/findings.h"
#include "emu/check/initialisation.h"
#include "emu/check/lifetimes.h"
#include "emu/check/mbarrier_use.h"
#include "emu/check/orders.h"
#include "emu/check/races.h"
#include "emu/check/tentative_reads.h"
#include "emu/check/unset_values.h"
#include "emu/check/wgmma.h"
#include "emu/emulator.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {

class Checker final : public Observer {
 public:
  Checker(const LaunchContext& context, bool trust_cas_reads);
  [[nodiscard]] std::vector<Finding> take_findings();
  // After the launch: true if there are no findings, and no other schedule can produce findings or
  // different results. See "One schedule for all" in emu/README.md.
  [[nodiscard]] bool same_under_all_schedules();
  // Whether some warp has executed the place of an instruction that was left out.
  [[nodiscard]] bool passed_left_out() const { return passed_left_out_; }

  void start(Block& block) override;
  void end_block(Block& block) override;
  void schedule_matters() override { schedule_matters_ = true; }
  void pass_left_out() override { passed_left_out_ = true; }
  void arrive_at_barrier(Warp& warp, std::uint32_t id) override;
  void complete_barrier(Block& block, std::uint32_t id, const std::vector<std::uint32_t>& waiting,
                        std::uint32_t exited) override;
  void arrive_at_cluster(Warp& warp) override;
  void complete_cluster(Block& block) override;
  void sync_lanes(Warp& warp, std::uint32_t lanes) override;
  void acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) override;
  void acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes) override;
  void publish(Knowledge& to, const Actor& actor, std::uint32_t lanes) override;
  void fence(Warp& warp, const FenceKinds& kinds) override;
  void access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
              std::size_t bytes, AccessKind kind) override;
  void constant_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                       std::size_t bytes, AccessKind kind) override;
  void local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind) override;
  void local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) override;
  [[nodiscard]] Actor begin_async(Warp& warp) override;
  void async_access(Warp& warp, std::uint32_t lane, const Actor& actor, std::uint64_t address,
                    std::size_t bytes, bool write, bool proxy, bool combines) override;
  void use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) override;
  void ended_unawaited(Block& block, const AsyncOperation& operation) override;
  void init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier) override;
  void use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                    std::uint32_t address) override;
  void complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                   std::uint32_t address) override;
  void arrive_at_mbarrier(Warp& warp, std::uint32_t lane, Block& owner, Mbarrier& barrier) override;
  [[nodiscard]] Actor begin_wgmma(Warp& warp, const WgmmaStart& start) override;
  void fence_wgmma(Warp& warp) override;
  void commit_wgmma(Warp& warp) override;
  void wait_wgmma(Warp& warp, std::uint32_t unfinished, std::uint32_t products) override;
  void enter_function(Warp& warp, const Frame& frame) override;
  [[nodiscard]] bool watches_registers(const Warp& warp) const override;
  void step(Warp& warp, std::uint32_t pc, std::uint32_t active) override;
  void exchanged(Warp& warp, std::uint32_t pc, std::uint32_t members,
                 std::span<const std::uint8_t> source, std::uint32_t absent) override;
  void masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                    std::uint32_t theirs) override;
  void report(FindingKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
              const std::string& message, const std::string& advice) override;

 private:
  const LaunchContext* context_;
  std::vector<std::unique_ptr<BlockChecks>> blocks_;
  std::vector<bool> schedule_sensitive_;  // by pc; empty without any
  bool schedule_matters_ = false;
  bool passed_left_out_ = false;
  // Each part refers only to those above it.
  Findings findings_;
  Orders orders_;
  Bounds bounds_;
  MbarrierUse mbarriers_;
  Lifetimes lifetimes_;
  UnsetValues values_;
  Initialisation initialisation_;
  Conflicts conflicts_;
  Races races_;
  Accesses accesses_;
  TentativeReads tentative_reads_;
  Wgmma wgmma_;
};

}  // namespace warpwright::emu
