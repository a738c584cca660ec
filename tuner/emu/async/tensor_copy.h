// Tensor maps into moves: which bytes a tensor copy takes from where to where.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emu/async/async.h"
#include "emu/async/encoded_map.h"
#include "emu/exec/address.h"

namespace warpwright::emu {

using Coordinates = std::array<std::int32_t, 5>;  // dimension 0 is the innermost

// Bytes of one box in shared memory: what a copy announces to its mbarrier, filled ones included.
[[nodiscard]] std::size_t box_bytes(const TensorMap& map);

// Moves of the box at `at` from global to shared memory, or back. What lies outside the tensor is
// filled on the way in and left out on the way back. Shared addresses are swizzled as the map says.
// Throws KernelFault when the tensor reaches outside of its buffer.
[[nodiscard]] std::vector<Move> tensor_moves(Warp& warp, std::uint32_t lane, const TensorMap& map,
                                             const Coordinates& at, const SharedPlace& shared,
                                             bool to_shared);

}  // namespace warpwright::emu
