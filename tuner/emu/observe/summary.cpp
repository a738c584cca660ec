#include "emu/observe/summary.h"

#include "emu/exec/block.h"
#include "emu/exec/memory.h"

namespace warpwright::emu {

std::vector<BufferUse> summarise_buffers(const LaunchContext& context, BufferRecords& buffers) {
  std::vector<BufferUse> uses;
  for (auto& [address, record] : buffers) {
    const Allocation* allocation = context.memory->find(address, 1);
    if (allocation == nullptr) continue;
    uses.push_back({allocation->label, address, allocation->bytes, record.read, record.written,
                    record.read_bytes.get(), record.written_bytes.get(), record.atomics});
  }
  return uses;
}

namespace {

std::vector<Phase> summarise_phases(const SourceSites& sites,
                                    const std::vector<PhaseRecord>& records) {
  std::vector<Phase> phases;
  for (const PhaseRecord& record : records) {
    Phase& phase = phases.emplace_back();
    phase.after = sites.locations(record.after);
    phase.until = sites.locations(record.until);
    phase.until_end = record.until_end;
    phase.times = record.times;
    phase.activities = record.activities;
    phase.global_read = record.global_read;
    phase.global_written = record.global_written;
    phase.shared_read = record.shared_read;
    phase.shared_written = record.shared_written;
  }
  return phases;
}

}  // namespace

BlockObservation summarise_block(const LaunchContext& context, const SourceSites& sites,
                                 BlockRecord& block) {
  BlockObservation seen;
  seen.warps = static_cast<std::uint32_t>(block.warps.size());
  seen.roles = find_roles(block.warps);
  const RoleOfWarp role_of(seen.roles);
  const std::vector<SharedSymbol> symbols = shared_symbols(context);
  const BarrierSummary barriers = summarise_barriers(block, role_of, sites, symbols);
  seen.barriers = barriers.barriers;
  seen.copies = barriers.copies;
  seen.shared = map_shared(block.shared, role_of, symbols);
  seen.phases = summarise_phases(sites, block.phases);
  seen.buffers = summarise_buffers(context, block.buffers);
  return seen;
}

}  // namespace warpwright::emu
