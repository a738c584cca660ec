// Parses PTX text as NVRTC emits it into a ParsedModule. Accepts directives it has no use for and
// skips them; what an opcode means is the decoder's concern. Throws Error (user) with the PTX
// line when the text is not PTX.
#pragma once

#include <string_view>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// `text` must outlive the result: names in statements are views into it.
[[nodiscard]] ParsedModule parse_ptx(std::string_view text, std::string_view name);

}  // namespace warpwright::emu
