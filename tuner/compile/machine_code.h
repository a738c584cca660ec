// What a cubin (an ELF file of 64 bits, little-endian) makes the GPU do, apart from what only names
// the source: code, constants, attributes of entries and relocations count; line tables, debugging
// sections, symbol names and notes of tools do not. So reformatting a source does not change its
// machine code. Compare only cubins of one compiler and one set of options: attributes refer to
// symbols by number.
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

// Throws Error (environment) when the bytes are not such a file: the compiler makes other cubins.
[[nodiscard]] MachineCode read_machine_code(std::string_view cubin);

}  // namespace warpwright
