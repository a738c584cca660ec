// Handlers of the asynchronous machinery: mbarrier, bulk and tensor copies, clusters, setmaxnreg.
// Operands are rows of Inst's extra list, addresses widened to 64 bits.
#pragma once

#include <cstdint>

#include "emu/exec/warp.h"

namespace warpwright::emu {

// --- mbarrier: immediate holds an MbarrierOp; extra: address, then the operands of the form. dst
// is the state token, a predicate for the waits, or kNoRegister.
enum class MbarrierOp : std::uint8_t {
  kInit,         // operands: count
  kInval,        // nothing
  kArrive,       // count or kNoRegister, bytes to expect or kNoRegister
  kArriveDrop,   // the same
  kExpectTx,     // bytes
  kCompleteTx,   // bytes
  kTestWait,     // token or parity
  kTryWait,      // token or parity
  kCopiesArrive  // cp.async.mbarrier.arrive
};
struct MbarrierFlags {
  static constexpr std::uint16_t kParity = 1;
  static constexpr std::uint16_t kNoIncrement = 2;  // cp.async.mbarrier.arrive.noinc
};
void exec_mbarrier(Warp& warp, const Inst& inst);
void exec_mbarrier_pending_count(Warp& warp, const Inst& inst);  // src[0]: token

// --- groups: immediate holds the number of groups that may stay unfinished
void exec_commit_copies(Warp& warp, const Inst& inst);
void exec_wait_copies(Warp& warp, const Inst& inst);
void exec_wait_all_copies(Warp& warp, const Inst& inst);
void exec_commit_bulk(Warp& warp, const Inst& inst);
void exec_wait_bulk(Warp& warp, const Inst& inst);  // flags: 1 when only for the reads

// --- bulk copies. extra: destination, source, size, mbarrier, block mask (kNoRegister where
// absent); immediate: reduction (ReduceOp) and its type (ReduceType) in bytes 0 and 1
struct BulkFlags {
  static constexpr std::uint16_t kToGlobal = 1;    // else to shared memory
  static constexpr std::uint16_t kFromShared = 2;  // else from global memory
  static constexpr std::uint16_t kReduce = 4;
};
void exec_bulk_copy(Warp& warp, const Inst& inst);
// extra: map, shared address, mbarrier, block mask, then coordinates; count: their number
void exec_tensor_copy(Warp& warp, const Inst& inst);
// st.async, red.async. extra: address, mbarrier, then values; count: their number; flags: BulkFlags
// and, from bit 8, bytes of a value
void exec_store_async(Warp& warp, const Inst& inst);

// --- clusters
void exec_mapa(Warp& warp, const Inst& inst);        // src: address, rank; flags: 1 generic
void exec_getctarank(Warp& warp, const Inst& inst);  // src: address
void exec_cluster_arrive(Warp& warp, const Inst& inst);
void exec_cluster_wait(Warp& warp, const Inst& inst);

void exec_setmaxnreg(Warp& warp, const Inst& inst);  // immediate: registers; flags: 1 inc, 0 dec
// flags: 1 of the asynchronous proxy, 0 of memory order
struct FenceFlags {
  static constexpr std::uint16_t kAsyncProxy = 1;
  static constexpr std::uint16_t kMbarrierInit = 2;
  static constexpr std::uint16_t kTensorMap = 4;  // makes written maps visible to copies
};
void exec_fence(Warp& warp, const Inst& inst);

}  // namespace warpwright::emu
