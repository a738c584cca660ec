// Reductions that asynchronous copies make in memory, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "emu/exec/async.h"

namespace warpwright::emu {

enum class ReduceOp : std::uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor };
enum class ReduceType : std::uint8_t {
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kBf16,
  kF32,
  kF64,
  kB32,
  kB64
};

[[nodiscard]] std::optional<ReduceOp> find_reduce_op(std::string_view part);      // "add"
[[nodiscard]] std::optional<ReduceType> find_reduce_type(std::string_view part);  // "bf16"
// Returns null if PTX has no such reduction.
[[nodiscard]] Combine find_combine(ReduceOp op, ReduceType type);

}  // namespace warpwright::emu
