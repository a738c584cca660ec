#include "device/emulated_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

// Incremented whenever the emulator's results, counters or time model change: stored results
// contain it.
constexpr const char* kEmulatorVersion = "3";

// The kind of a fault, in the words used for hazards.
const char* kind_of(emu::FaultKind kind) {
  switch (kind) {
    case emu::FaultKind::kOutOfBounds:
      return "out of bounds";
    case emu::FaultKind::kMisaligned:
      return "misaligned access";
    case emu::FaultKind::kDeadlock:
      return "deadlock";
    case emu::FaultKind::kTrap:
      return "trap";
    case emu::FaultKind::kInstructionLimit:
    case emu::FaultKind::kTimeLimit:
      return kDoesNotEnd;
    case emu::FaultKind::kCancelled:
      return "cancelled";
    case emu::FaultKind::kInvalidLaunch:
      return "invalid launch";
  }
  return "fault";
}

std::vector<SourceLocation> callers_of(const std::vector<emu::SourceCall>& calls) {
  std::vector<SourceLocation> callers;
  for (const emu::SourceCall& call : calls) callers.push_back({call.file, call.line, 0});
  return callers;
}

HazardPlace place_of(const emu::HazardSide& side) {
  return {side.what, side.file, side.line, side.block, side.thread, callers_of(side.callers)};
}

}  // namespace

DeviceInfo describe(const emu::DeviceModel& model) {
  DeviceInfo info;
  info.id = "emu:" + model.id;
  info.name = model.name;
  info.arch = model.arch;
  info.uuid = fmt::format("EMU-{}-{}", model.id, kEmulatorVersion);
  info.driver = fmt::format("emulator {}", kEmulatorVersion);
  info.sm_count = model.sm_count;
  info.global_bytes = model.global_bytes;
  info.l2_bytes = model.l2_bytes;
  info.max_threads_per_block = model.max_threads_per_block;
  info.max_threads_per_sm = model.max_threads_per_sm;
  info.max_blocks_per_sm = model.max_blocks_per_sm;
  info.registers_per_sm = model.registers_per_sm;
  info.registers_per_block = std::min(model.registers_per_sm, 65536);
  info.max_shared_per_block = model.max_shared_per_block;
  info.shared_per_sm = model.shared_per_sm;
  info.compute_capability = model.compute_capability;
  info.model_ceilings = emu::model_ceilings(model);
  return info;
}

Status status_of(emu::FaultKind kind) {
  switch (kind) {
    case emu::FaultKind::kOutOfBounds:
    case emu::FaultKind::kMisaligned:
    case emu::FaultKind::kTrap:
    case emu::FaultKind::kDeadlock:
      return Status::kLaunchFailed;
    case emu::FaultKind::kInstructionLimit:
    case emu::FaultKind::kTimeLimit:
    case emu::FaultKind::kCancelled:
      return Status::kTimeout;
    case emu::FaultKind::kInvalidLaunch:
      return Status::kInvalid;
  }
  return Status::kLaunchFailed;
}

std::string describe(const emu::LaunchFault& fault) {
  const bool limit =
      fault.kind == emu::FaultKind::kInstructionLimit || fault.kind == emu::FaultKind::kTimeLimit;
  if (limit) return fault.message + "; the limit is the emulator's, a GPU has another";
  return fault.message;
}

void add_counters(std::map<std::string, std::uint64_t>& to, const emu::Counters& from) {
  for (const emu::CounterField& field : emu::kCounterFields) to[field.name] += from.*field.member;
}

void add_lines(std::vector<LineCounters>& to, const std::vector<emu::LineCounts>& from) {
  for (const emu::LineCounts& line : from) {
    const auto place = std::lower_bound(
        to.begin(), to.end(), line, [](const LineCounters& known, const emu::LineCounts& wanted) {
          return std::tie(known.file, known.line) < std::tie(wanted.file, wanted.line);
        });
    const bool known = place != to.end() && place->file == line.file && place->line == line.line;
    LineCounters& sum = known ? *place : *to.insert(place, {line.file, line.line, {}});
    add_counters(sum.counters, line.counters);
    std::erase_if(sum.counters, [](const auto& counter) { return counter.second == 0; });
  }
}

void add_hazards(std::vector<LaunchHazard>& to, const emu::LaunchReport& from) {
  for (const emu::Hazard& found : from.hazards) {
    LaunchHazard& hazard = to.emplace_back();
    hazard.kind = emu::name_of(found.kind);
    hazard.message = found.message;
    hazard.advice = found.advice;
    hazard.here = place_of(found.here);
    if (found.other) hazard.other = place_of(*found.other);
    hazard.occurrences = found.occurrences;
  }
  if (!from.fault) return;
  LaunchHazard& fault = to.emplace_back();
  fault.kind = kind_of(from.fault->kind);
  fault.is_fault = true;
  fault.message = from.fault->message;
  fault.unplaced = from.fault->unplaced;
  fault.here = {"",
                from.fault->file,
                from.fault->line,
                from.fault->block,
                from.fault->thread,
                callers_of(from.fault->callers)};
}

emu::EntryResources entry_resources(const KernelResources& known) {
  emu::EntryResources resources;
  resources.registers = known.registers;
  resources.static_shared_bytes = known.static_shared;
  resources.spill_store_bytes = known.spill_stores;
  resources.spill_load_bytes = known.spill_loads;
  resources.stack_bytes = known.stack;
  return resources;
}

}  // namespace warpwright
