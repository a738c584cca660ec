// Estimates how often a warp has to wait for global memory. Loads of one loop iteration that do not
// need each other's results are in flight together and form one round. The compiler behind PTX
// moves loads ahead of code that does not need them, so their order in PTX does not matter; only
// barriers and calls stop it. Branches decide which loads of a round are executed: a warp enters a
// round with the first load that it executes (rounds_of_warp.h).
#pragma once

#include <cstdint>
#include <vector>

#include "emu/decode/program.h"
#include "emu/decode/register_allocation.h"

namespace warpwright::emu {

// Assigns a round to every load. `loads` are the global loads of `code`, in order; `uses` are in
// instruction order and still name virtual registers.
void mark_load_rounds(std::vector<Inst>& code, const std::vector<RegisterUse>& uses,
                      const Successors& successors, const std::vector<std::uint32_t>& loads,
                      std::size_t registers);

}  // namespace warpwright::emu
