// Records a launch for a description (observation.h) from the events of the machine. Of the blocks
// that have ended, it keeps the one that executed most instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/exec/observer.h"
#include "emu/observe/block_record.h"
#include "emu/observe/instruction_kinds.h"
#include "emu/observe/observation.h"
#include "emu/observe/source_sites.h"

namespace warpwright::emu {

struct LaunchContext;

class LaunchObserver final : public Observer {
 public:
  explicit LaunchObserver(const LaunchContext& context);
  // After the launch; the observer is empty afterwards.
  [[nodiscard]] std::shared_ptr<const Observation> take();

  void start(Block& block) override;
  void end_block(Block& block) override;
  void schedule_matters() override {}
  void pass_left_out() override {}
  void arrive_at_barrier(Warp& warp, std::uint32_t id) override;
  void complete_barrier(Block& block, std::uint32_t id, const std::vector<std::uint32_t>& waiting,
                        std::uint32_t exited) override;
  void arrive_at_cluster(Warp& warp) override;
  void complete_cluster(Block& block) override;
  void sync_lanes(Warp&, std::uint32_t) override {}
  void acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) override;
  void acquire_copies(Warp&, const Actor&, std::uint32_t) override {}
  void publish(Knowledge&, const Actor&, std::uint32_t) override {}
  void fence(Warp&, const FenceKinds&) override {}
  void access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
              std::size_t bytes, AccessKind kind) override;
  void constant_access(Warp&, std::uint32_t, const LaneAddresses&, std::size_t,
                       AccessKind) override {}
  void local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind) override;
  void local_pointer(Warp&, std::uint32_t, std::uint64_t) override {}
  [[nodiscard]] Actor begin_async(Warp& warp) override;
  void async_access(Warp& warp, std::uint32_t lane, const Actor& actor, std::uint64_t address,
                    std::size_t bytes, bool write, bool proxy, bool combines) override;
  void use_tensor_map(Warp&, std::uint32_t, std::uint64_t) override {}
  void ended_unawaited(Block&, const AsyncOperation&) override {}
  void init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier) override;
  void use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                    std::uint32_t address) override;
  void complete_on(Warp&, std::uint32_t, const Mbarrier&, std::uint32_t) override {}
  void arrive_at_mbarrier(Warp& warp, std::uint32_t lane, Block& owner, Mbarrier& barrier) override;
  [[nodiscard]] Actor begin_wgmma(Warp& warp, const WgmmaStart& start) override;
  void fence_wgmma(Warp&) override {}
  void commit_wgmma(Warp&) override {}
  void wait_wgmma(Warp&, std::uint32_t, std::uint32_t) override {}
  void enter_function(Warp&, const Frame&) override {}
  [[nodiscard]] bool watches_registers(const Warp&) const override { return false; }
  void step(Warp& warp, std::uint32_t pc, std::uint32_t active) override;
  void executes_again(Warp& warp, std::uint32_t pc) override;
  void executed_with_others(Warp& warp, std::uint32_t pc) override;
  void exchanged(Warp&, std::uint32_t, std::uint32_t, std::span<const std::uint8_t>,
                 std::uint32_t) override {}
  void masks_differ(Warp&, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void report(FindingKind, Warp&, std::uint32_t, const std::string&, const std::string&,
              const std::string&) override {}

 private:
  // An mbarrier that the running instruction has named.
  struct NamedMbarrier {
    Block* owner = nullptr;
    std::uint32_t address = 0;
    const Mbarrier* barrier = nullptr;
  };
  struct PendingArrival {
    std::uint8_t warp = 0;
    std::uint32_t site = 0;
  };
  // A block that runs.
  struct Running {
    std::unique_ptr<BlockRecord> record;
    std::array<std::vector<PendingArrival>, 16> arrivals;  // at barriers that are not complete
    std::array<std::uint32_t, 16> expected{};
  };

  [[nodiscard]] Running& running(const Block& block);
  [[nodiscard]] BlockRecord& record(const Block& block) { return *running(block).record; }
  // kForeignWarp for a warp of another block than `block`.
  [[nodiscard]] static std::uint8_t number_in(const Warp& warp, const Block& block);
  [[nodiscard]] static Block* owner_of(Warp& warp, const Mbarrier& barrier, std::uint32_t* address);
  void count(Warp& warp, std::uint32_t pc, Activity activity, int change = 1);
  void count_access(Warp& warp, Activity activity);
  void access_global(Warp& warp, std::uint64_t first, std::uint64_t end, bool reads, bool writes);
  void access_shared(Warp& warp, Block& target, std::uint64_t first, std::uint64_t end, Way way,
                     bool counted);
  void close_batch(BlockRecord& block, std::uint8_t warp);
  void begin_phase(Running& block, const Sites& sites);
  static void take_phases(BlockRecord& block, std::uint32_t address, const Mbarrier& barrier);

  const LaunchContext* context_;
  std::vector<InstructionKind> kinds_;
  SourceSites sites_;
  std::unordered_map<const Block*, Running> running_;
  const Block* last_block_ = nullptr;
  Running* last_running_ = nullptr;
  // Of the running instruction:
  bool access_counted_ = false;
  bool wait_counted_ = false;
  bool copies_begun_ = false;
  std::size_t wgmma_reads_ = 0;  // 16-byte pieces so far
  bool a_in_shared_ = false;
  std::vector<NamedMbarrier> named_;
  // Of the launch:
  BufferRecords buffers_;
  Observation observation_;
};

}  // namespace warpwright::emu
