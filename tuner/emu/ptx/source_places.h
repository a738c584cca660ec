// From .loc directives to the line that a message names: the kernel's own line rather than one
// inside a header of the CUDA Toolkit that was inlined there, and where that line's function was
// inlined in turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// .loc as written; which of its two places counts is known once every .file has been seen.
struct Location {
  SourceLine inner;
  SourceLine inlined_at;
};

// True for the headers that come with the CUDA Toolkit.
[[nodiscard]] bool is_toolkit_header(std::string_view path);

// Statements hold, in source.file, the index of the .loc before them; this replaces it by the place
// itself.
void resolve_places(ParsedModule& module, const std::vector<Location>& locations);

}  // namespace warpwright::emu
