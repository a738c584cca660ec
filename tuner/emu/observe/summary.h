// Turns the records of a launch into its observation.
#pragma once

#include <vector>

#include "emu/observe/block_record.h"
#include "emu/observe/observation.h"
#include "emu/observe/roles.h"
#include "emu/observe/shared_map.h"
#include "emu/observe/source_sites.h"

namespace warpwright::emu {

struct LaunchContext;

[[nodiscard]] std::vector<BufferUse> summarise_buffers(const LaunchContext& context,
                                                       BufferRecords& buffers);

// Without index and instructions, which the caller has.
[[nodiscard]] BlockObservation summarise_block(const LaunchContext& context,
                                               const SourceSites& sites, BlockRecord& block);

// Barriers by role, and the buffers of asynchronous copies. In barrier_summary.cpp.
struct BarrierSummary {
  std::vector<BarrierUse> barriers;
  std::vector<CopyBuffer> copies;
};
[[nodiscard]] BarrierSummary summarise_barriers(BlockRecord& block, const RoleOfWarp& role_of,
                                                const SourceSites& sites,
                                                const std::vector<SharedSymbol>& symbols);

}  // namespace warpwright::emu
