// Parses PTX text, as emitted by NVRTC, into a ParsedModule. Directives that the emulator does not
// need are skipped, and opcodes are left to the decoder. Throws Error (user) with the PTX line when
// the text is not PTX.
#pragma once

#include <string_view>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// `text` must outlive the result: names in statements are views into it.
[[nodiscard]] ParsedModule parse_ptx(std::string_view text, std::string_view name);

}  // namespace warpwright::emu
