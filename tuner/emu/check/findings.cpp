// Builds the messages of the checker's findings: both sides of a conflict, and the fix.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "emu/check/checker.h"
#include "emu/program/program.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

// One mistake in a loop shows up at many lines; this many are enough to see the pattern.
constexpr std::size_t kMostFindings = 100;
// The maximum number of instructions between the load and the store of one line.
constexpr std::uint32_t kLongestUpdate = 64;

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
    result.callers = callers_of(program, line);
  }
  const auto& grid = context_->launch->grid;
  result.block = {static_cast<std::uint32_t>(block % grid[0]),
                  static_cast<std::uint32_t>(block / grid[0] % grid[1]),
                  static_cast<std::uint32_t>(block / grid[0] / grid[1])};
  const auto& shape = context_->launch->block;
  result.thread = {thread % shape[0], thread / shape[0] % shape[1], thread / shape[0] / shape[1]};
  return result;
}

std::uint32_t Checker::thread_of(const AccessRecord& record) const {
  const std::uint32_t lane =
      record.lanes == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(record.lanes));
  if (record.actor < kFirstSlot) return record.actor * kWarpSize + lane;
  const Issuer& issuer = issuers_[issuer_place(record.block, record.actor)];
  const bool known =
      issuer.block == record.block && issuer.actor == record.actor && issuer.epoch == record.epoch;
  const std::uint32_t thread = known ? issuer.thread : last_issuers_[record.pc];
  // A cp.async belongs to each lane that the record names, a bulk copy to the lane that issued it.
  return record.lanes == kAllLanes ? thread : thread / kWarpSize * kWarpSize + lane;
}

HazardSide Checker::side(const AccessRecord& record, std::size_t bytes) const {
  return side(record.block, record.pc, thread_of(record), verb(record, bytes));
}

// Whether both accesses belong to one update, such as x[i] += v: a line that loads and stores.
bool Checker::updates(const AccessRecord& now, const AccessRecord& then, bool is_shared) const {
  const Program& program = *context_->program;
  const auto same_line = [&](std::uint32_t pc) {
    const SourceLine a = program.lines[pc], b = program.lines[now.pc];
    return a.line != 0 && a.line == b.line && a.file == b.file;
  };
  if (!same_line(then.pc)) return false;
  if (!now.write || !then.write) return true;
  // Both accesses store; the load of the line comes before them.
  const std::string_view load = is_shared ? "ld.shared" : "ld.global";
  for (std::uint32_t pc = now.pc; pc > 0 && now.pc - pc < kLongestUpdate; --pc)
    if (same_line(pc - 1) && program.opcodes[pc - 1].starts_with(load)) return true;
  return false;
}

int Checker::reach(const Hazard& hazard) const {
  if (!hazard.other) return 0;
  if (hazard.here.block != hazard.other->block) return 2;
  const auto& shape = context_->launch->block;
  const auto warp_of = [&](const HazardSide& side) {
    return (side.thread[0] + shape[0] * (side.thread[1] + shape[1] * side.thread[2])) / kWarpSize;
  };
  return warp_of(hazard.here) == warp_of(*hazard.other) ? 0 : 1;
}

// Unrolled code repeats one mistake at many instructions of a line.
std::uint64_t Checker::place_of(std::uint32_t pc) const {
  constexpr std::uint64_t kNoLine = std::uint64_t{1} << 63;
  const SourceLine line = context_->program->lines[pc];
  return line.line == 0
             ? kNoLine | pc
             : static_cast<std::uint64_t>(line.file) << 32 | static_cast<std::uint32_t>(line.line);
}

void Checker::add(Hazard hazard, std::uint32_t pc, std::uint32_t other_pc) {
  const FindingKey key{hazard.kind, place_of(pc), place_of(other_pc)};
  add_as(key, std::move(hazard));
}

void Checker::add_as(const FindingKey& key, Hazard hazard) {
  const auto [known, fresh] = index_.try_emplace(key, hazards_.size());
  if (!fresh) {
    if (known->second >= hazards_.size()) return;
    Hazard& told = hazards_[known->second];
    // An order between lanes of a warp does not order warps, so the widest pair decides the fix.
    if (reach(hazard) > reach(told)) {
      hazard.occurrences = told.occurrences;
      told = std::move(hazard);
    }
    ++told.occurrences;
    return;
  }
  if (hazards_.size() < kMostFindings) hazards_.push_back(std::move(hazard));
}

// Lines that store equal values in some cases and different values in others are plain races.
std::vector<Hazard> Checker::take_hazards() {
  if (!undecided_.empty()) decide_stores();
  std::vector<std::size_t> told;
  for (const auto& [key, index] : index_) {
    const auto& [kind, here, other] = key;
    const bool is_shared = kind == HazardKind::kSharedSameValue;
    if (!is_shared && kind != HazardKind::kGlobalSameValue) continue;
    const HazardKind race = is_shared ? HazardKind::kSharedRace : HazardKind::kGlobalRace;
    if (index_.contains({race, here, other}) || index_.contains({race, other, here}))
      told.push_back(index);
  }
  std::vector<Hazard> hazards;
  for (std::size_t i = 0; i < hazards_.size(); ++i) {
    if (std::find(told.begin(), told.end(), i) == told.end())
      hazards.push_back(std::move(hazards_[i]));
  }
  hazards_.clear();
  index_.clear();
  return hazards;
}

// Variables of the module keep the values that a launch leaves in them, so the next launch may
// start from other values; and reads of them as constants are not compared with writes.
bool Checker::same_under_all_schedules() {
  const auto& cluster = context_->launch->cluster;
  if (schedule_matters_ || !index_.empty() || !undecided_.empty() ||
      cluster[0] * cluster[1] * cluster[2] > 1)
    return false;
  const std::vector<Variable>& variables = context_->program->variables;
  return std::none_of(variables.begin(), variables.end(), [this](const Variable& variable) {
    if (variable.space == Space::kShared || variable.size == 0) return false;
    const std::uint64_t address = context_->symbol_address(variable.name);
    return global_.any_written(address, address + variable.size);
  });
}

bool Checker::UndecidedStore::changed() const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if ((bytes >> i & 1) != 0 && word[i] != before[i]) return true;
  }
  return false;
}

// All undecided stores belong to one instruction. Two lines race with different values if any word
// or lane does.
void Checker::decide_stores() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> changed;
  for (const UndecidedStore& store : undecided_)
    if (store.changed()) changed.insert({store.pc, store.other_pc});
  for (UndecidedStore& store : undecided_) {
    Hazard& hazard = store.hazard;
    if (!changed.contains({store.pc, store.other_pc})) {
      hazard.kind = hazard.kind == HazardKind::kSharedRace ? HazardKind::kSharedSameValue
                                                           : HazardKind::kGlobalSameValue;
      hazard.message += "; both store the same value";
      hazard.advice = "let one thread store it, or give each thread a place of its own";
    }
    add(std::move(hazard), store.pc, store.other_pc);
  }
  undecided_.clear();
  looks_always_ = false;
}

void Checker::conflict(const AccessRecord& now, const AccessRecord& then, const Range& range,
                       bool proxy) {
  const auto [address, bytes, target, word] = range;
  const bool is_shared = target != nullptr;
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
  } else if (then.async && (!now.async || (then.write && !now.write))) {
    hazard.kind = HazardKind::kMissingWait;
    const char* operation =
        now.async ? "another asynchronous operation" : "an asynchronous operation";
    hazard.message = fmt::format("{} {} {}, which {} {} and no thread has waited for",
                                 verb(now, bytes), now.write ? "to" : "from", where, operation,
                                 then.write ? "writes" : "still reads");
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
                            "__threadfence(), atomic flag; see the flag, __threadfence(), read";
      if (!is_shared && now.strong && then.strong)
        hazard.advice =
            "give accesses that other blocks' meet the scope of the device: no .cta, no _block in "
            "the name, thread_scope_device";
    } else if (now.actor == then.actor) {
      hazard.advice = "put __syncwarp() between them";
    } else {
      hazard.advice = is_shared
                          ? "put a __syncthreads() that all of them pass between them"
                          : "put a __syncthreads() between them, or let one thread own the element";
    }
    // x[i] += v, or one instruction by which several lanes, warps or blocks store to one address.
    if (!now.async && !now.atomic && !then.atomic && updates(now, then, is_shared))
      hazard.advice = fmt::format(
          "where several threads add to one element, use an atomic such as atomicAdd; otherwise {}",
          hazard.advice);
  }
  hazard.here = side(now, bytes);
  hazard.other = side(then, static_cast<std::size_t>(std::popcount(then.bytes)));
  const bool stores = now.write && then.write && !now.atomic && !then.atomic;
  if (!stores || now.async || then.async) return add(std::move(hazard), now.pc, then.pc);
  UndecidedStore store{std::move(hazard), now.pc, then.pc};
  store.word = word_at(range);
  store.bytes = now.bytes & then.bytes;
  for (std::size_t i = 0; i < store.before.size(); ++i) {
    if ((store.bytes >> i & 1) != 0) store.before[i] = store.word[i];
  }
  undecided_.push_back(std::move(store));
  looks_always_ = true;
}

void Checker::unordered_message(const AccessRecord& now, const AccessRecord& then,
                                const Range& range) {
  const bool is_shared = range.target != nullptr;
  Hazard hazard;
  hazard.kind = HazardKind::kMissingFence;
  hazard.message = fmt::format(
      "{} from {} behind a flag that is set after the {} by another thread, but no fence makes it "
      "so: the flag may be seen before what it stands for",
      verb(now, range.bytes), where_of(is_shared, range.address, *context_->memory),
      verb(then, static_cast<std::size_t>(std::popcount(then.bytes))));
  hazard.advice =
      "put __threadfence() (in one block __threadfence_block()) before the flag is set and after "
      "it is seen, or set it by a release and read it by an acquire: volatile and relaxed accesses "
      "order nothing";
  hazard.here = side(now, range.bytes);
  hazard.other = side(then, static_cast<std::size_t>(std::popcount(then.bytes)));
  add(std::move(hazard), now.pc, then.pc);
}

void Checker::unfenced_map(const AccessRecord& now, const AccessRecord& then,
                           std::uint64_t address) {
  Hazard hazard;
  hazard.kind = HazardKind::kMissingProxyFence;
  hazard.message = fmt::format(
      "a tensor copy uses the tensor map at {}, which the launch has written, with no "
      "fence.proxy.tensormap in between",
      where_of(false, address, *context_->memory));
  hazard.advice =
      "behind the write let a thread execute fence.proxy.tensormap::generic.acquire.gpu on the "
      "map's 128 bytes before the copy (after a .release by the writer, where that is another)";
  hazard.here = side(now, 0);
  hazard.here.what = "tensor copy";
  hazard.other = side(then, static_cast<std::size_t>(std::popcount(then.bytes)));
  add(std::move(hazard), now.pc, then.pc);
}

void Checker::stale_read(const AccessRecord& now, const AccessRecord& then, const Range& range) {
  Hazard hazard;
  hazard.kind = HazardKind::kStaleRead;
  hazard.message = fmt::format(
      "`{}` reads {}, which the same launch has written; it is only for data that no thread writes "
      "while the kernel runs, and may return the old value",
      context_->program->opcodes[now.pc], where_of(false, range.address, *context_->memory));
  hazard.advice =
      "read it by an ordinary load: no __ldg(), and no `const __restrict__` on a pointer to what "
      "the kernel writes";
  hazard.here = side(now, range.bytes);
  hazard.other = side(then, static_cast<std::size_t>(std::popcount(then.bytes)));
  add(std::move(hazard), now.pc, then.pc);
}

// The first byte of a word, some bytes of which have just been found to be accessible.
const std::byte* Checker::word_at(const Range& range) const {
  if (range.target != nullptr) return range.target->shared() + range.word;
  const Allocation* allocation = context_->memory->find(range.address, 1);
  return allocation->host + (range.word - allocation->address);
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

void Checker::read_kept(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const Allocation& variable = *context_->memory->find(address, bytes);
  Hazard hazard;
  hazard.kind = HazardKind::kStateKept;
  hazard.message = fmt::format(
      "{} from offset {} of the variable '{}' finds what an earlier launch has left there, not "
      "what it held after loading",
      verb(now, bytes), address - variable.address, variable_name(variable.label));
  hazard.advice =
      "write it in every launch before it is read, set it back at the end of the launch, or pass "
      "it as a scratch argument with a `fill`, which is restored before every launch";
  hazard.here = side(now, bytes);
  const FindingKey key{hazard.kind, place_of(now.pc), variable.address};
  add_as(key, std::move(hazard));
}

void Checker::report_unwritten(Warp& warp, const UnwrittenRead& read, std::uint32_t lanes,
                               std::uint32_t use) {
  const std::uint32_t known = (lanes & read.lanes) != 0 ? lanes & read.lanes : read.lanes;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(known));
  AccessRecord record;
  record.block = static_cast<std::uint32_t>(warp.block().linear_index());
  record.actor = static_cast<std::uint16_t>(warp.index());
  record.pc = read.pc;
  record.lanes = 1u << lane;
  Hazard hazard;
  if (read.is_shuffle()) {
    hazard.kind = HazardKind::kWarpMask;
    hazard.message = fmt::format(
        "lane {} of `{}` takes the value of a lane that takes no part in it; {} depends on it",
        lane, context_->program->opcodes[read.pc], warp.block().place(use));
    hazard.advice =
        "let the lane that is read execute the shuffle and be named by its mask, or do not use "
        "what comes of it";
    hazard.here = side(record.block, read.pc, warp.index() * kWarpSize + lane, "shuffle");
    return add(std::move(hazard), read.pc, read.pc);
  }
  hazard.kind = read.is_local ? HazardKind::kUninitialisedLocal : HazardKind::kUninitialisedShared;
  hazard.message = fmt::format("{} from {} address {}, which was never written; {} depends on it",
                               verb(record, read.bytes), read.is_local ? "local" : "shared",
                               read.addresses[lane], warp.block().place(use));
  hazard.advice = read.is_local ? "initialise the array where it is declared, and check the index"
                                : "write it first, and check the index and the tile's tail";
  hazard.here = side(record, read.bytes);
  add(std::move(hazard), read.pc, read.pc);
}

void Checker::barrier_without(Block& block, std::uint32_t id,
                              const std::vector<std::uint32_t>& waiting, std::uint32_t exited) {
  const std::uint32_t threads = context_->threads_per_block;
  std::uint32_t gone = 0;
  for (std::uint32_t left = exited; left != 0; left &= left - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(left));
    gone += std::min<std::uint32_t>(threads - index * kWarpSize, kWarpSize);
    excuse(block.warp(index), id);
  }
  if (waiting.empty()) return;  // all have arrived and continued: no warp is released too early
  const Warp& first = block.warp(waiting.front());
  const auto at_barrier = std::find_if(
      first.groups().begin(), first.groups().end(),
      [id](const Group& group) { return group.wait == Wait::kBarrier && group.barrier == id; });
  // The one that completes it does not wait.
  const bool waits = at_barrier != first.groups().end();
  const std::uint32_t pc = waits ? at_barrier->pc : first.current_pc();
  const std::uint32_t lanes = waits ? at_barrier->mask : first.live();
  const auto who = static_cast<std::uint32_t>(std::countr_zero(exited));
  const Warp& out = block.warp(who);
  Hazard hazard;
  hazard.kind = HazardKind::kExitBeforeBarrier;
  hazard.message = fmt::format(
      "barrier {} completes although {} of {} threads have exited without it; GPUs count them as "
      "arrived, CUDA leaves it undefined",
      id, gone, threads);
  hazard.advice = "move the return below the barrier, or guard the work instead of returning";
  hazard.here = side(
      block.linear_index(), pc,
      first.index() * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes)), "barrier");
  hazard.other = side(block.linear_index(), out.current_pc(), who * kWarpSize, "exit");
  add(std::move(hazard), pc, out.current_pc());
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
