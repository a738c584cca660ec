// The checker's findings in words: both sides of a conflict, and the fix.
#include <fmt/format.h>

#include <bit>
#include <utility>

#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

// One mistake in a loop shows up in many lines; these are enough to see the pattern.
constexpr std::size_t kMostFindings = 100;

std::string where_of(bool is_shared, std::uint64_t address, const GlobalMemory::Impl& memory) {
  if (is_shared) return fmt::format("shared address {}", address);
  const Allocation* allocation = memory.find(address, 1);
  if (allocation == nullptr) return fmt::format("global address {:#x}", address);
  return fmt::format("offset {} of buffer '{}'", address - allocation->address, allocation->label);
}

std::string verb(const AccessRecord& record, std::size_t bytes) {
  if (record.async) return record.write ? "asynchronous write" : "asynchronous read";
  return fmt::format("{} of {} byte{}",
                     record.atomic  ? "atomic"
                     : record.write ? "store"
                                    : "load",
                     bytes, bytes == 1 ? "" : "s");
}

}  // namespace

HazardSide Checker::side(std::uint64_t block, std::uint32_t pc, std::uint32_t thread,
                         std::string what) const {
  const Program& program = *context_->program;
  HazardSide result;
  result.what = std::move(what);
  const SourceLine line = program.lines[pc];
  if (line.line != 0 && static_cast<std::size_t>(line.file) < program.files.size()) {
    result.file = program.files[static_cast<std::size_t>(line.file)];
    result.line = line.line;
  }
  const auto& grid = context_->launch->grid;
  result.block = {static_cast<std::uint32_t>(block % grid[0]),
                  static_cast<std::uint32_t>(block / grid[0] % grid[1]),
                  static_cast<std::uint32_t>(block / grid[0] / grid[1])};
  const auto& shape = context_->launch->block;
  result.thread = {thread % shape[0], thread / shape[0] % shape[1], thread / shape[0] / shape[1]};
  return result;
}

HazardSide Checker::side(const AccessRecord& record, std::size_t bytes) const {
  const std::uint32_t lane =
      record.lanes == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(record.lanes));
  const std::uint32_t thread = record.actor < kFirstSlot ? record.actor * kWarpSize + lane : 0;
  return side(record.block, record.pc, thread, verb(record, bytes));
}

void Checker::add(Hazard hazard, std::uint32_t pc, std::uint32_t other_pc) {
  // Unrolled code repeats one mistake at many instructions of a line.
  const auto place = [this](std::uint32_t at) {
    constexpr std::uint64_t kNoLine = std::uint64_t{1} << 63;
    const SourceLine line = context_->program->lines[at];
    return line.line == 0 ? kNoLine | at
                          : static_cast<std::uint64_t>(line.file) << 32 |
                                static_cast<std::uint32_t>(line.line);
  };
  const auto [known, fresh] =
      index_.try_emplace({hazard.kind, place(pc), place(other_pc)}, hazards_.size());
  if (!fresh) {
    if (known->second < hazards_.size()) ++hazards_[known->second].occurrences;
    return;
  }
  if (hazards_.size() < kMostFindings) hazards_.push_back(std::move(hazard));
}

std::vector<Hazard> Checker::take_hazards() { return std::exchange(hazards_, {}); }

void Checker::conflict(const AccessRecord& now, const AccessRecord& then, std::uint64_t address,
                       std::size_t bytes, bool is_shared, bool proxy) {
  Hazard hazard;
  const std::string where = where_of(is_shared, address, *context_->memory);
  const bool in_block = now.block == then.block;
  if (proxy) {
    hazard.kind = HazardKind::kMissingProxyFence;
    hazard.message = fmt::format(
        "an asynchronous operation {} {}, {} that no fence.proxy.async has {}",
        now.write ? "overwrites" : "reads", where,
        then.write ? "written by an ordinary store" : "read by an ordinary load",
        then.write ? "made visible to it" : "ordered before it: the load may still be under way");
    hazard.advice = fmt::format(
        "after the {} let every thread that made them execute fence.proxy.async, then the barrier, "
        "then issue the operation",
        then.write ? "stores" : "loads");
  } else if (then.async && !now.async) {
    hazard.kind = HazardKind::kMissingWait;
    hazard.message = fmt::format(
        "{} {} {}, which an asynchronous operation {} and no thread has waited for",
        verb(now, bytes), now.write ? "to" : "from", where, then.write ? "writes" : "still reads");
    hazard.advice =
        then.write ? "wait for the copy first (cp.async.wait_group, or the mbarrier's phase), and "
                     "let the threads that did not wait themselves pass a barrier after it"
                   : "wait first until the operation has read its source "
                     "(cp.async.bulk.wait_group.read, wgmma.wait_group)";
  } else {
    hazard.kind = is_shared ? HazardKind::kSharedRace : HazardKind::kGlobalRace;
    hazard.message = fmt::format(
        "{} {} {} and {} by {} are not ordered", verb(now, bytes), now.write ? "to" : "from", where,
        verb(then, static_cast<std::size_t>(std::popcount(then.bytes))),
        !in_block                               ? "another block"
        : then.async                            ? "a copy"
        : now.actor == then.actor && !now.async ? "another lane of the warp"
                                                : "another warp");
    if (now.async) {
      hazard.advice =
          "let the threads that use the buffer arrive at a barrier, and wait for it before the "
          "next "
          "copy into it is issued";
    } else if (!in_block) {
      hazard.advice = is_shared
                          ? "put a barrier of the cluster between them"
                          : "let one block own the element, use an atomic, or hand it over: write, "
                            "__threadfence(), atomic flag; see the flag, then read";
    } else if (now.actor == then.actor) {
      hazard.advice = "put __syncwarp() between them";
    } else {
      hazard.advice = is_shared
                          ? "put a __syncthreads() that all of them pass between them"
                          : "put a __syncthreads() between them, or let one thread own the element";
    }
  }
  hazard.here = side(now, bytes);
  hazard.other = side(then, static_cast<std::size_t>(std::popcount(then.bytes)));
  add(std::move(hazard), now.pc, then.pc);
}

void Checker::read_uninitialised(const AccessRecord& now, std::uint64_t address, std::size_t bytes,
                                 bool is_shared) {
  Hazard hazard;
  hazard.kind = is_shared ? HazardKind::kUninitialisedShared : HazardKind::kUninitialisedGlobal;
  hazard.message = fmt::format("{} from {}, which was never written", verb(now, bytes),
                               where_of(is_shared, address, *context_->memory));
  hazard.advice = is_shared
                      ? "write it first, and check the index and the tile's tail"
                      : "initialise the buffer on the host or in the kernel, and check the index";
  hazard.here = side(now, bytes);
  add(std::move(hazard), now.pc, now.pc);
}

void Checker::ended_unawaited(Block& block, const AsyncOperation& operation) {
  Hazard hazard;
  hazard.kind = HazardKind::kMissingWait;
  hazard.message =
      "the block ends although a bulk copy out of its shared memory was never waited for";
  hazard.advice =
      "commit the group and execute cp.async.bulk.wait_group.read 0 before the issuing thread "
      "exits";
  hazard.here = side(block.linear_index(), operation.pc,
                     operation.warp * kWarpSize + operation.lane, "asynchronous copy");
  add(std::move(hazard), operation.pc, operation.pc);
}

void Checker::report(HazardKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
                     const std::string& message, const std::string& advice) {
  Hazard hazard;
  hazard.kind = kind;
  hazard.message = message;
  hazard.advice = advice;
  hazard.here =
      side(warp.block().linear_index(), warp.current_pc(), warp.index() * kWarpSize + lane, what);
  add(std::move(hazard), warp.current_pc(), warp.current_pc());
}

}  // namespace warpwright::emu
