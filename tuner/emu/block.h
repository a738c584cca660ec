// One thread block: its warps, shared memory and barriers, and the seeded scheduler that
// interleaves the warps. A Block is storage for one host thread and runs one block after another;
// run() may stop early (its slice is over) and be called again, so that blocks that wait for each
// other all get their turns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/emulator.h"
#include "emu/memory.h"
#include "emu/program.h"
#include "emu/warp.h"

namespace warpwright::emu {

// What all blocks of a launch share; constant while it runs.
struct LaunchContext {
  const Program* program = nullptr;
  const Function* entry = nullptr;
  const Launch* launch = nullptr;
  const DeviceModel* device = nullptr;
  GlobalMemory::Impl* memory = nullptr;
  std::unordered_map<std::string, std::uint64_t> symbols;  // module variables
  std::uint64_t seed = 1;
  std::uint32_t threads_per_block = 0;
  std::size_t shared_bytes = 0;  // static and dynamic
  std::vector<std::byte> parameters;

  [[nodiscard]] std::uint64_t symbol_address(const std::string& name) const {
    return symbols.at(name);
  }
};

enum class BarrierReduction : std::uint8_t { kNone, kPopc, kAnd, kOr };

class Block {
 public:
  enum class Status { kDone, kSliceOver };

  // `profile`, when given, counts by line; it belongs to one host thread, as the block does.
  explicit Block(const LaunchContext& context, LineProfile* profile = nullptr);

  void start(std::uint64_t linear_index);
  // Runs up to about `budget` warp instructions. Throws LaunchFault.
  Status run(std::uint64_t budget);

  [[nodiscard]] std::uint64_t linear_index() const { return linear_index_; }
  [[nodiscard]] std::uint64_t instructions() const;
  [[nodiscard]] Counters counters() const;
  [[nodiscard]] std::string& output() { return output_; }
  // A fault of this kind at the first warp that is not done; for limits and cancellation.
  [[nodiscard]] LaunchFault fault_at_first_warp(FaultKind kind, const std::string& what) const;

  // --- for handlers
  [[nodiscard]] const LaunchContext& context() const { return *context_; }
  [[nodiscard]] std::byte* shared() { return shared_.data(); }
  [[nodiscard]] std::size_t shared_bytes() const { return context_->shared_bytes; }
  [[nodiscard]] const std::array<std::uint32_t, 3>& block_index() const { return block_index_; }
  [[nodiscard]] std::uint64_t clock() const { return clock_base_; }
  // Lanes of `warp` wait at (or, without blocking, pass) a barrier; `threads` 0 means the whole
  // block.
  void arrive(Warp& warp, std::uint32_t barrier, std::uint32_t threads, bool blocking,
              BarrierReduction reduction, std::uint32_t predicate);
  void lanes_exited(Warp& warp);
  [[nodiscard]] std::string place(
      std::uint32_t pc) const;  // "softmax.cu:41", or "PTX of softmax" without .loc
  [[nodiscard]] std::array<std::uint32_t, 3> thread_index(std::uint32_t warp,
                                                          std::uint32_t lane) const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // threads; 0 while nobody waits
    std::uint32_t arrived = 0;   // threads, whole warps
    std::vector<std::uint32_t> waiting;
    std::uint32_t passed_lanes[32] = {};  // bar.arrive of part of a warp
    BarrierReduction reduction = BarrierReduction::kNone;
    std::uint32_t popc = 0;
    std::uint32_t contributed = 0;
  };

  void count_warp(Warp& warp, std::uint32_t barrier, bool waits);
  [[noreturn]] void deadlock();
  [[nodiscard]] std::string describe_wait(const Group& group) const;
  [[nodiscard]] LaunchFault fault(FaultKind kind, std::string message, std::uint32_t pc,
                                  std::uint32_t warp, std::uint32_t lane) const;

  const LaunchContext* context_;
  std::uint64_t linear_index_ = 0;
  std::array<std::uint32_t, 3> block_index_{};
  std::vector<std::byte> shared_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<std::uint32_t> order_;
  std::size_t turn_ = 0;
  std::array<Barrier, 16> barriers_;
  std::uint64_t clock_base_ = 0;
  std::uint64_t first_instructions_ = 0;
  std::string output_;
};

}  // namespace warpwright::emu
