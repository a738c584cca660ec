// The handlers other than lane arithmetic: memory, control flow, warp-wide operations, barriers,
// moves. A handler runs one instruction for the lanes of warp.mask(), which is never empty.
#pragma once

#include <cstdint>
#include <span>

#include "emu/exec/warp.h"

namespace warpwright::emu {

// --- memory: Inst::flags holds a MemoryFlags, src[0] the address row, immediate its offset, extra
// the data rows, and src[3] a global load's round (emu/model/load_rounds.h)
enum class Access : std::uint8_t { kLoad, kStore };

struct MemoryFlags {
  static constexpr std::uint16_t kSpaceMask = 0x0007;  // a Space
  static constexpr std::uint16_t kWideAddress = 0x0008;
  static constexpr std::uint16_t kSigned = 0x0010;
  static constexpr std::uint16_t kWideRow = 0x0020;  // data rows are of 64 bits
  static constexpr std::uint16_t kShared =
      0x0040;  // volatile, acquire, release: other threads may be waiting
  static constexpr std::uint16_t kNoResult = 0x0100;  // red
};

// `frame_param`: the parameter area of the running function instead of memory; immediate is the
// offset in it.
[[nodiscard]] Handler memory_handler(Access access, std::size_t element_bytes, bool frame_param);

enum class AtomicOp : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor, kInc, kDec, kExch, kCas };
enum class AtomicType : std::uint8_t {
  kU32,
  kS32,
  kU64,
  kS64,
  kF32,
  kF64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kB16
};
// Inst::dst the old value's row, src[1] and src[2] the operands. nullptr where PTX has no such
// combination.
[[nodiscard]] Handler atomic_handler(AtomicOp op, AtomicType type);
// An atomic on `count` independent elements; extra: the operands' rows, then those of the old
// values.
[[nodiscard]] Handler vector_atomic_handler(AtomicOp op, AtomicType type);
// cas and exch of 128 bits; extra: rows of the halves of b, of c for cas, and of the old value;
// count: the number of rows.
void exec_wide_atomic(Warp& warp, const Inst& inst);

void exec_local_address(Warp& warp,
                        const Inst& inst);  // frame's local memory + immediate; flags: 64-bit row

// --- control
void exec_branch(Warp& warp, const Inst& inst);
void exec_branch_indexed(Warp& warp, const Inst& inst);
void exec_call(Warp& warp, const Inst& inst);
// src[0]: the row of addresses, one for each lane.
void exec_call_indirect(Warp& warp, const Inst& inst);
void exec_missing_function(Warp& warp, const Inst& inst);  // immediate: its index
void exec_ret(Warp& warp, const Inst& inst);
void exec_exit(Warp& warp, const Inst& inst);
void exec_trap(Warp& warp, const Inst& inst);
void exec_nothing(Warp& warp, const Inst& inst);
// An instruction that Module::parse() was asked to leave out; dst: a predicate that is set, or
// kNoRegister.
void exec_left_out(Warp& warp, const Inst& inst);
void exec_nanosleep(Warp& warp, const Inst& inst);
void exec_printf(Warp& warp, const Inst& inst);
void exec_assert_fail(Warp& warp, const Inst& inst);
void exec_special_register(Warp& warp, const Inst& inst);

// --- barriers: src[0] id row, src[1] thread count row or kNoRegister, src[2] predicate
struct BarrierFlags {
  static constexpr std::uint16_t kArrive = 1;
  static constexpr std::uint16_t kReductionShift = 1;  // two bits: BarrierReduction
  static constexpr std::uint16_t kNegated = 8;
  static constexpr std::uint16_t kUnaligned = 16;
};
void exec_barrier(Warp& warp, const Inst& inst);
void write_barrier_result(Warp& warp, const Inst& inst, std::uint32_t reduced);

// --- warp-wide: immediate holds a SyncOp; src[3] is the row of member masks
enum class SyncOp : std::uint8_t {
  kBarWarp,
  kShflUp,
  kShflDown,
  kShflBfly,
  kShflIdx,
  kVoteAll,
  kVoteAny,
  kVoteUni,
  kVoteBallot,
  kMatchAny,
  kMatchAll,
  kReduxAdd,
  kReduxMin,
  kReduxMax,
  kReduxAnd,
  kReduxOr,
  kReduxXor,
  kElect,
};
struct SyncFlags {
  static constexpr std::uint16_t kWide = 1;  // 64-bit values
  static constexpr std::uint16_t kSigned = 2;
  static constexpr std::uint16_t kNegated = 4;  // the predicate operand
  static constexpr std::uint16_t kFloat = 8;
  static constexpr std::uint16_t kAbs = 16;
  static constexpr std::uint16_t kNan = 32;
};
void exec_sync(Warp& warp, const Inst& inst);
// Only bar.warp.sync orders memory among its lanes; the other SyncOps do not.
[[nodiscard]] bool orders_memory(const Inst& sync);
void exec_activemask(Warp& warp, const Inst& inst);
// Runs one .sync operation whose members arrived at several places.
void execute_sync_groups(Warp& warp, std::span<const Group> groups);

// --- moves that are not plain lane operations: packing, predicate logic, address spaces,
// asynchronous copies, textures
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
