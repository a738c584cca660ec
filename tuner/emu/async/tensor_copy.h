// Translates a tensor copy into moves, according to its tensor map.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emu/async/async.h"
#include "emu/async/encoded_map.h"
#include "emu/exec/address.h"

namespace warpwright::emu {

using Coordinates = std::array<std::int32_t, 5>;  // dimension 0 is the innermost

// The bytes of one box in shared memory, fills included, which a copy reports to its mbarrier.
[[nodiscard]] std::size_t box_bytes(const TensorMap& map);

// Returns the moves of the box at `at` from global to shared memory, or back. Elements outside the
// tensor are filled on the way in and left out on the way back. Shared addresses are swizzled
// according to the map. Throws KernelFault when the tensor extends outside its buffer.
[[nodiscard]] std::vector<Move> tensor_moves(Warp& warp, std::uint32_t lane, const TensorMap& map,
                                             const Coordinates& at, const SharedPlace& shared,
                                             bool to_shared);

}  // namespace warpwright::emu
