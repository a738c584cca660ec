// What setp and set do with the bits of a comparison, and their names in the table of lane
// operations. Compiled once: only the comparison itself is worth vector code.
#pragma once

#include <cstdint>
#include <string_view>

#include "emu/exec/warp.h"
#include "emu/lanes/lane_table.h"

namespace warpwright::emu {

// The lanes' results combined with the predicate that the instruction names, if it names one.
[[nodiscard]] std::uint32_t combine(const Warp& warp, const Inst& inst, std::uint32_t bits);

// Writes combined predicates (setp), or a register where the entry's flags ask for one (set).
void finish_compare(Warp& warp, const Inst& inst, std::uint32_t bits);

// setp, set.u32, set.s32 and set.f32 of a comparison that makes predicates, and of its opposite in
// every lane.
void add_comparison(LaneTable& table, std::string_view operation, std::string_view opposite,
                    std::string_view type, const LaneEntry& entry);

}  // namespace warpwright::emu
