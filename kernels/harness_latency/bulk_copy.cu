// Bulk copy: one thread has the copy engine bring tiles of 1 KiB, and waits for each.
//
// The latency of a small tile, from the instruction until its mbarrier completes. The tiles are
// read in turn, so that from the second turn on they come from L2. The result is a word of the last
// tile.
//
// Requires: compute capability 9.0; steps in multiples of 16; whole tiles.
#include "defaults.cuh"
#include "latency.cuh"
#include "mbarrier.cuh"

constexpr u32 kTileWords = 256;

__device__ __forceinline__ void copy_tile(u32* to, const u32* from, Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
      "[%3];" ::"r"(shared_address(to)),
      "l"(from), "n"(kTileWords * 4), "r"(shared_address(&barrier))
      : "memory");
}

// Parameters (kernel.yaml names sizes and types):
//   next   [nodes], the words of the tiles
//   start  [1], which word of the last tile is the result, modulo 256
//   y      [1], written
//   nodes  words of all tiles
//   steps  copies, one after another
extern "C" __global__ void __launch_bounds__(32)
    bulk_copies(const u32* __restrict__ next, const u32* __restrict__ start, u32* __restrict__ y,
                i32 nodes, i32 steps) {
  __shared__ alignas(128) u32 tile[kTileWords];
  __shared__ Mbarrier arrived;
  if (threadIdx.x != 0) return;
  mbarrier_init(arrived, 1);
  mbarrier_publish();
  const u32* from = next;
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
    for (u32 k = 0; k < kUnroll; ++k) {
      mbarrier_expect(arrived, kTileWords * 4);
      copy_tile(tile, from, arrived);
      from = from + kTileWords == next + nodes ? next : from + kTileWords;
      mbarrier_wait(arrived, k & 1);
    }
  }
  *y = *start + 1 + tile[*start % kTileWords];
}
