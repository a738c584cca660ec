// How often a warp has to wait for global memory: loads between two turns of a loop that do not
// need each other's results are in flight together, which makes them one round. The compiler after
// PTX moves loads ahead of code that does not need them, so their order in PTX says nothing;
// barriers and calls stop it. Which of a round's loads run depends on branches: a warp enters a
// round with the first that it executes (rounds_of_warp.h).
#pragma once

#include <cstdint>
#include <vector>

#include "emu/decode/program.h"
#include "emu/decode/register_allocation.h"

namespace warpwright::emu {

// Says of every load which round it is of. `loads` are the global loads of `code`, in order; `uses`
// are in instruction order and still name virtual registers.
void mark_load_rounds(std::vector<Inst>& code, const std::vector<RegisterUse>& uses,
                      const Successors& successors, const std::vector<std::uint32_t>& loads,
                      std::size_t registers);

}  // namespace warpwright::emu
