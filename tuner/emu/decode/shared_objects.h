// Which shared variables an address may have been computed from, so that a checker can tell the end
// of one array from the start of the next. By the registers of a function, whatever the order in
// which it executes: an address that may also come from anywhere else (a parameter, memory, the
// difference of two addresses) has no bounds. What compilers fold into offsets
// (`a[i - 4]` is the address of a, and -16) keeps its variable.
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

// By statement of the function: the variables that the shared address it accesses is computed from.
// Empty where that is not known, and where nothing is accessed.
[[nodiscard]] std::vector<std::vector<SharedVariable>> find_accessed_variables(
    const ParsedModule& module, const ParsedFunction& function);

}  // namespace warpwright::emu
