// Gated activation, persistent: out = act(g) * u by as many blocks as the GPU holds at once, each
// of which walks over the arrays.
//
// act is SiLU (SwiGLU) or one of two forms of GELU (GeGLU), as ACTIVATION says: activation.cuh.
//
// Algorithm: the tile of one step is THREADS * UNROLL packets, as in flat.cu, but a block takes
// tiles b, b + gridDim.x, ... until none is left. With PREFETCH it issues the loads of the next
// tile before it computes the current one, so the memory system has work from this block at all
// times, also while the block computes and stores:
//
//     PREFETCH 0:   load 0 | compute 0, store 0 | load 1 | compute 1, store 1 | ...
//     PREFETCH 1:   load 0 | load 1, compute 0, store 0 | load 2, compute 1, store 1 | ...
//
// All blocks sweep through memory side by side: at any moment they touch one narrow window of each
// array.
//
// Tunables:
//   THREADS         a block; only the granularity in which tiles are handed out
//   THREADS_PER_SM  resident threads of an SM, which fixes the grid, and 65536 / THREADS_PER_SM
//                   registers for each: many threads together with a large UNROLL and PREFETCH
//                   spill, and the trial reports it
//   UNROLL          loads in flight per operand and thread; 8 registers per step of 16 bytes, 16
//                   with PREFETCH
//   PREFETCH        the overlap above; pays where few threads are resident, costs registers where
//                   many are
//   VECTOR_BYTES    bytes per access, 16 except for small problems
//   LOAD_HINT       streaming keeps the inputs, which are read once, out of L1; nothing else needs
//                   L1 here, and on Hopper large arrays stream faster without it
//   STORE_HINT      streaming makes the results the first lines that L2 evicts
//
// Requires: arrays aligned to VECTOR_BYTES; any number of elements. Any grid gives the same result.
//
// Next idea: let the bulk copy engine fetch tiles to shared memory; what is in flight then costs no
// registers at all.
#include "activation.cuh"
#include "defaults.cuh"

using T = DTYPE;
constexpr Activation kActivation = Activation::ACTIVATION;
using Elements = Packet<T, VECTOR_BYTES>;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kUnroll = UNROLL;
constexpr bool kPrefetch = PREFETCH;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;

// One thread's share of a tile, both operands.
struct Tile {
  Elements gates[kUnroll];
  Elements values[kUnroll];

  // `first` is this thread's first packet; past the last one nothing is read.
  __device__ __forceinline__ void load(const T* __restrict__ g, const T* __restrict__ u, i64 first,
                                       i64 packets) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 packet = first + k * kThreads;
      gates[k] = Elements::load_if<kLoadHint>(packet < packets, g, packet);
      values[k] = Elements::load_if<kLoadHint>(packet < packets, u, packet);
    }
  }

  __device__ __forceinline__ void store(T* __restrict__ out, i64 first, i64 packets) const {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 packet = first + k * kThreads;
      gated<kActivation>(gates[k], values[k])
          .template store_if<kStoreHint>(packet < packets, out, packet);
    }
  }
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   g, u      [rows, d] of dtype
//   out       [rows, d] of dtype, written
//   elements  rows*d
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    gated_activation(const T* __restrict__ g, const T* __restrict__ u, T* __restrict__ out,
                     i64 elements) {
  const i64 packets = elements / Elements::kElements;
  const i64 stride = static_cast<i64>(gridDim.x) * (kThreads * kUnroll);
  i64 first = static_cast<i64>(blockIdx.x) * (kThreads * kUnroll) + threadIdx.x;

  // A thread leaves as soon as its own first packet is past the end: nothing here waits for the
  // others.
  Tile tile;
  if constexpr (kPrefetch) {
    tile.load(g, u, first, packets);
    while (first < packets) {
      Tile next;
      next.load(g, u, first + stride, packets);
      tile.store(out, first, packets);
      tile = next;
      first += stride;
    }
  } else {
    for (; first < packets; first += stride) {
      tile.load(g, u, first, packets);
      tile.store(out, first, packets);
    }
  }

  // The elements that fill no packet are fewer than a packet holds, so one thread each is enough.
  if constexpr (Elements::kElements > 1) {
    const i64 last = packets * Elements::kElements + threadIdx.x;
    if (blockIdx.x == 0 && last < elements)
      out[last] = from_float<T>(gated<kActivation>(to_float(g[last]), to_float(u[last])));
  }
}
