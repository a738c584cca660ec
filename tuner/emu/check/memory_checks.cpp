// The checker's rules for the extent and lifetime of memory: bounds of variables in shared memory,
// local memory (reads of bytes that the thread has not written, and pointers into the local memory
// of another thread), and shared memory of cluster peers.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "emu/exec/cluster.h"
#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

// --- variables in shared memory

std::string variable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (plain == nullptr) return symbol;
  const std::string_view name = plain.get();
  const std::size_t scope = name.rfind("::");
  return std::string(scope == name.npos ? name : name.substr(scope + 2));
}

bool Checker::is_within_bounds(const AccessRecord& now, std::uint64_t address,
                               std::size_t bytes) const {
  const Program& program = *context_->program;
  const std::uint32_t set = program.accessed_set[now.pc];
  if (set == 0) return true;
  const std::vector<std::uint32_t>& objects = program.object_sets[set];
  return std::any_of(objects.begin(), objects.end(), [&](std::uint32_t object) {
    return address >= bounds_[object].begin && address + bytes <= bounds_[object].end;
  });
}

// Reports an access through a variable that is outside the variable, although it is inside the
// block's shared memory.
void Checker::check_bounds(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const SharedBounds& likely = likely_bounds_[now.pc];
  if (address >= likely.begin && address + bytes <= likely.end) return;
  if (!is_within_bounds(now, address, bytes)) overrun(now, address, bytes);
}

void Checker::overrun(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const Program& program = *context_->program;
  const std::uint64_t end = address + bytes;
  const std::vector<std::uint32_t>& objects = program.object_sets[program.accessed_set[now.pc]];
  const auto name = [&](std::uint32_t object) {
    return variable_name(program.shared_objects[object].symbol);
  };
  const SharedBounds& own = bounds_[objects[0]];
  std::string where = fmt::format("{} bytes past the end of", address - own.end);
  if (address < own.begin) {
    where = fmt::format("{} bytes before the start of", own.begin - address);
  } else if (address < own.end) {
    where = "across the end of";
  } else if (address == own.end) {
    where = "right behind the end of";
  }
  std::string met;
  for (std::uint32_t other = 0; other < bounds_.size(); ++other)
    if (address < bounds_[other].end && end > bounds_[other].begin && other != objects[0])
      met = fmt::format(", in '{}'", name(other));
  Hazard hazard;
  hazard.kind = HazardKind::kSharedOverrun;
  hazard.message =
      fmt::format("{} at shared address {}, {} '{}' ({} bytes){}", side(now, bytes).what, address,
                  where, name(objects[0]), own.end - own.begin, met);
  hazard.advice =
      "check the index against the size of the array, and the array against the tile's halo or "
      "padding";
  hazard.here = side(now, bytes);
  add(std::move(hazard), now.pc, now.pc);
}

// --- local memory

namespace {

// Lanes in which a store to local memory stores only values that were never written. A copy of such
// values has no effect yet.
std::uint32_t lanes_of_copies(const RegisterChecks& checks, std::span<const OperandUse> uses,
                              std::size_t values) {
  std::size_t seen = 0;
  std::uint32_t lanes = kAllLanes;
  for (const OperandUse& use : uses) {
    if (use.guard || use.defines || seen++ == 0) continue;  // the address comes first
    const auto found = checks.unwritten.find(use.reg);
    const bool local = found != checks.unwritten.end() && found->second.read->is_local;
    lanes &= local ? found->second.lanes : 0;
  }
  return seen == values + 1 ? lanes : 0;
}

}  // namespace

// The variables of a function hold nothing when it is entered.
void Checker::enter_function(Warp& warp, const Frame& frame) {
  BlockChecks& checks = *warp.block().checks();
  for (const std::uint32_t reg : frame.function->undefined_at_entry)
    checks.registers[warp.index()].undefined[reg] |= warp.mask();
  std::vector<std::uint32_t>& written = checks.local_written[warp.index()];
  for (std::size_t at = frame.local_base;
       at < frame.local_base + frame.function->local_bytes && at < written.size(); ++at)
    written[at] &= ~warp.mask();
}

void Checker::local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                           std::size_t bytes, AccessKind kind) {
  BlockChecks& checks = *warp.block().checks();
  RegisterChecks& registers = checks.registers[warp.index()];
  std::vector<std::uint32_t>& written = checks.local_written[warp.index()];
  const std::uint32_t pc = warp.current_pc();
  const Program& program = *context_->program;
  const std::size_t values = program.code[pc].count;
  if (kind != AccessKind::kLoad) {
    const std::uint32_t copies = kind == AccessKind::kStore && !registers.unwritten.empty()
                                     ? lanes_of_copies(registers, program.uses_of(pc), values)
                                     : 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::size_t first = addresses.at[lane];
      if (written.size() < first + bytes) written.resize(first + bytes);
      const std::uint32_t bit = 1u << lane;
      for (std::size_t at = first; at < first + bytes; ++at)
        written[at] = (copies & bit) != 0 ? written[at] & ~bit : written[at] | bit;
    }
    return;
  }
  if (values == 0 || !program.opcodes[pc].starts_with("ld")) return;
  const std::size_t each = bytes / values;
  const std::uint32_t* rows = warp.extra(program.code[pc]);
  const std::span<const OperandUse> uses = program.uses_of(pc);
  std::size_t defined = 0;
  while (defined < uses.size() && !uses[defined].defines) ++defined;
  for (std::size_t v = 0; v < values; ++v) {
    if (rows[v] == kNoRegister) continue;
    UnwrittenRead read;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::size_t first = addresses.at[lane] + v * each;
      bool any = false;  // a part of it may be padding
      for (std::size_t at = first; at < first + each && at < written.size(); ++at)
        any = any || (written[at] >> lane & 1) != 0;
      if (any) continue;
      read.lanes |= 1u << lane;
      read.addresses[lane] = first;
    }
    if (read.lanes != 0 && defined < uses.size()) {
      read.pc = pc;
      read.bytes = each;
      read.is_local = true;
      RegisterChecks::Unwritten& known = registers.unwritten[uses[defined].reg];
      known.lanes |= read.lanes;
      known.read = std::make_shared<const UnwrittenRead>(read);
    }
    ++defined;
  }
}

void Checker::local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  const std::uint64_t tag = local_tag_of(address);
  const std::uint32_t thread = warp.index() * kWarpSize + lane;
  if (tag == 0 || tag == local_tag(warp.block().linear_index(), thread)) return;
  const std::uint32_t pc = warp.current_pc();
  const bool same_block =
      local_tag(warp.block().linear_index(), 0) >> kLocalThreadBits == tag >> kLocalThreadBits;
  const auto owner = static_cast<std::uint32_t>((tag & ((1u << kLocalThreadBits) - 1)) - 1);
  const std::array<std::uint32_t, 3> at =
      warp.block().thread_index(owner / kWarpSize, owner % kWarpSize);
  Hazard hazard;
  hazard.kind = HazardKind::kForeignLocal;
  hazard.message = fmt::format(
      "`{}` through a pointer to a local variable of thread ({},{},{}) of {}: local memory is each "
      "thread's own, and the same address is another variable here",
      context_->program->opcodes[pc], at[0], at[1], at[2],
      same_block ? "the block" : "another block");
  hazard.advice = "put what threads share in shared or global memory, or hand over the value";
  hazard.here = side(warp.block().linear_index(), pc, thread, "access");
  add(std::move(hazard), pc, pc);
}

// --- clusters: shared memory lives as long as its block, so a block must not exit before it has
// synchronised with every peer that uses its memory.

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
