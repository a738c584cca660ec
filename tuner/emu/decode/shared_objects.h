// Finds the shared variables that an address may be derived from, so that a checker can distinguish
// the end of one array from the start of the next. The analysis uses the registers of a function
// and ignores the order of execution: an address that may also come from elsewhere (a parameter,
// memory, the difference of two addresses) has no bounds. Constant parts that compilers fold into
// offsets do not change the variable (`a[i - 4]` is the address of a, and -16).
#pragma once

#include <cstdint>
#include <vector>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// A variable in shared memory: an index into the module's variables or the function's.
struct SharedVariable {
  bool module_scope = false;
  std::uint32_t index = 0;

  bool operator==(const SharedVariable&) const = default;
};

// By statement of the function: the variables that its shared address is derived from. Empty if
// they are not known, or if the statement does not access shared memory.
[[nodiscard]] std::vector<std::vector<SharedVariable>> find_accessed_variables(
    const ParsedModule& module, const ParsedFunction& function);

}  // namespace warpwright::emu
