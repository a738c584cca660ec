// The map of a block's shared memory: ranges of bytes that are used alike, with the arrays of the
// source that they belong to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/observe/observation.h"
#include "emu/observe/roles.h"
#include "emu/observe/shared_bytes.h"

namespace warpwright::emu {

struct LaunchContext;

// An array of the source in shared memory.
struct SharedSymbol {
  std::uint32_t first = 0, end = 0;
  std::string name;
};
// Those that the launched kernel may use, by first byte.
[[nodiscard]] std::vector<SharedSymbol> shared_symbols(const LaunchContext& context);
// Null if the byte belongs to none of them.
[[nodiscard]] const SharedSymbol* symbol_at(const std::vector<SharedSymbol>& symbols,
                                            std::uint32_t byte);

[[nodiscard]] std::vector<SharedRange> map_shared(const SharedBytes& bytes,
                                                  const RoleOfWarp& role_of,
                                                  const std::vector<SharedSymbol>& symbols);

}  // namespace warpwright::emu
