// Parses declarations of variables: module variables, function-scope ones, and parameters.
#pragma once

#include <vector>

#include "emu/ptx/ptx_cursor.h"

namespace warpwright::emu {

// `.space [.align n] [.ptr ...] .type name[dims] [= init] {, name ...} ;` with the cursor at
// `.space`.
[[nodiscard]] std::vector<Variable> parse_variables(PtxCursor& cursor, bool external);

// One parameter of a list, without the separator.
[[nodiscard]] Variable parse_parameter(PtxCursor& cursor);

}  // namespace warpwright::emu
