// How often a warp has to wait for global memory: loads between two turns of a loop that do not
// need each other's results are in flight together, which makes them one round. The compiler that
// comes after PTX moves loads ahead of what does not need them, so the order in which PTX has them
// says nothing; barriers and calls stay in the way.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/program.h"
#include "emu/register_allocation.h"

namespace warpwright::emu {

// Sets MemoryFlags::kNewRound on the first load of every round. `loads` are the global loads of
// `code`, in order; `uses` are in instruction order and still name virtual registers.
void mark_load_rounds(std::vector<Inst>& code, const std::vector<RegisterUse>& uses,
                      const Successors& successors, const std::vector<std::uint32_t>& loads,
                      std::size_t registers);

}  // namespace warpwright::emu
