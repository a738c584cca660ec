// Turns parsed PTX into a Program: operands become rows, immediates constant rows, labels program
// counters. Throws UnsupportedPtx at the first opcode or operand form that the emulator lacks.
#pragma once

#include <string>
#include <vector>

#include "emu/program/program.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

[[nodiscard]] Program decode(const ParsedModule& module);

// Every opcode that the decoder accepts, up to its first dot; sorted. The README has the same list.
[[nodiscard]] std::vector<std::string> opcode_table();

}  // namespace warpwright::emu
