// Finds the source line that a message names from .loc directives: the kernel's own line rather
// than one inside an inlined header of the CUDA Toolkit, and the calls at which that line's
// function was inlined in turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// A .loc as written; the choice between its two places needs every .file of the module.
struct Location {
  SourceLine inner;
  SourceLine inlined_at;
};

// True for the headers that come with the CUDA Toolkit.
[[nodiscard]] bool is_toolkit_header(std::string_view path);

// Before this call, source.file of a statement is the index of the .loc before it; afterwards,
// `source` is the place itself.
void resolve_places(ParsedModule& module, const std::vector<Location>& locations);

}  // namespace warpwright::emu
