// Moves that are not plain lane operations: packing, predicate logic, address spaces, asynchronous
// copies.
#pragma once

#include <cstdint>

#include "emu/exec/warp.h"

namespace warpwright::emu {

enum class PredicateOp : std::uint8_t { kAnd, kOr, kXor, kNot, kMove };
struct PredicateFlags {  // above the PredicateOp
  static constexpr std::uint16_t kOpMask = 7;
  static constexpr std::uint16_t kNegatedA = 8;
  static constexpr std::uint16_t kNegatedB = 16;
};
void exec_predicate_logic(Warp& warp, const Inst& inst);

// extra: the pieces; immediate: bits of a piece; flags: 1 when the whole is 64 bits.
void exec_pack(Warp& warp, const Inst& inst);
void exec_unpack(Warp& warp, const Inst& inst);

// immediate: the Space; src[0] a generic address.
void exec_isspacep(Warp& warp, const Inst& inst);

// cvta of local memory, whose generic addresses differ between threads under checkers. src[0]: the
// address; flags: 1 for a conversion from generic.
void exec_cvta_local(Warp& warp, const Inst& inst);

// cp.async: src[0] shared address, src[1] global address, src[2] bytes to read or kNoRegister;
// count: bytes to write.
void exec_cp_async(Warp& warp, const Inst& inst);

// tex: immediate a TextureForm; src[0] the handle, src[1] and src[2] coordinates; extra: four
// results.
struct TextureForm {
  std::uint8_t dimensions = 1;
  bool floats = false;  // type of the results
  bool whole = false;   // integer coordinates
  std::uint8_t unused = 0;
};
void exec_texture(Warp& warp, const Inst& inst);

}  // namespace warpwright::emu
