// The processing of comparison bits by setp and set, and their names in the table of lane
// operations. Compiled once, because only the comparison itself is worth vector code.
#pragma once

#include <cstdint>
#include <string_view>

#include "emu/exec/warp.h"
#include "emu/lanes/lane_table.h"

namespace warpwright::emu {

// The lanes' results combined with the predicate that the instruction names, if it names one.
[[nodiscard]] std::uint32_t combine(const Warp& warp, const Inst& inst, std::uint32_t bits);

// Writes combined predicates (setp), or a register if the entry's flags require one (set).
void finish_compare(Warp& warp, const Inst& inst, std::uint32_t bits);

// Adds setp, set.u32, set.s32 and set.f32 for a comparison that produces predicates, and for its
// opposite in every lane.
void add_comparison(LaneTable& table, std::string_view operation, std::string_view opposite,
                    std::string_view type, const LaneEntry& entry);

}  // namespace warpwright::emu
