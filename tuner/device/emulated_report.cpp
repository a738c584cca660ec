#include "device/emulated_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace warpwright {
namespace {

// Incremented whenever the emulator's results, counters or time model change: stored results
// contain it.
constexpr const char* kEmulatorVersion = "3";

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

Status status_of(const Finding& fault) {
  switch (fault.kind) {
    case FindingKind::kDoesNotEnd:
    case FindingKind::kCancelled:
      return Status::kTimeout;
    case FindingKind::kInvalidLaunch:
      return Status::kInvalid;
    default:
      return Status::kLaunchFailed;
  }
}

std::string fault_reason(const Finding& fault) {
  if (fault.kind == FindingKind::kDoesNotEnd)
    return fault.message + "; the limit is the emulator's, a GPU has another";
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

void add_findings(std::vector<Finding>& to, emu::LaunchReport& from) {
  std::move(from.hazards.begin(), from.hazards.end(), std::back_inserter(to));
  if (from.fault) to.push_back(*from.fault);
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
