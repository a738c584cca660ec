// Reads from a cubin (a 64-bit little-endian ELF file) what determines the GPU's behaviour: code,
// constants, attributes of entries and relocations count; line tables, debugging sections, symbol
// names and notes of tools do not. Reformatting a source therefore does not change its machine
// code. Compare only cubins made by one compiler with one set of options, because attributes refer
// to symbols by number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpwright {

struct MachineCode {
  std::string hash;                                // SHA-256
  std::map<std::string, std::int64_t> code_bytes;  // of each entry
};

// Throws Error (environment) when the bytes are not such a file, since then the compiler makes
// cubins of another kind.
[[nodiscard]] MachineCode read_machine_code(std::string_view cubin);

}  // namespace warpwright
