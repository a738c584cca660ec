// Gated activation, flat: out = act(g) * u, every thread computes UNROLL packets and is done.
//
// act is SiLU (SwiGLU) or one of two forms of GELU (GeGLU), as ACTIVATION says: activation.cuh.
//
// Algorithm: rows do not matter to an elementwise operation, so the [rows, d] arrays are one array
// of packets of VECTOR_BYTES. A block owns THREADS * UNROLL consecutive packets, and thread t takes
// packets t, t + THREADS, ...: each access of a warp is one contiguous run. A thread issues its 2 *
// UNROLL loads before it computes anything, so that many bytes are in flight at once; the hardware
// scheduler supplies the next block when one ends.
//
//     bytes in flight per SM = resident threads * 2 * UNROLL * VECTOR_BYTES
//
// An H200 wants 32 KB and more.
//
// Tunables:
//   THREADS         small blocks start and drain smoothly and spread few elements over more SMs;
//                   large ones cost the block scheduler less
//   UNROLL          more loads in flight per thread, for 8 registers per step of 16 bytes; at small
//                   sizes it takes parallelism away from the SMs
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread. 2048 hides latency by many threads, 512 by many loads per
//                   thread
//   VECTOR_BYTES    16 is the widest access; narrower ones spread small problems over more threads
//   LOAD_HINT       streaming keeps the inputs, which are read once, out of L1; nothing else needs
//                   L1 here, and on Hopper large arrays stream faster without it
//   STORE_HINT      streaming makes the results the first lines that L2 evicts: good when they are
//                   not read soon
//
// Requires: arrays aligned to VECTOR_BYTES (allocations are aligned to 256); any number of
// elements, the last few that fill no packet are done one by one.
// Traffic: 3 * sizeof(dtype) bytes an element, all compulsory.
//
// Next idea: while a block starts, reads its parameters and computes addresses, it has nothing in
// flight; persistent.cu starts each block once and keeps it loading.
#include "activation.cuh"
#include "defaults.cuh"

using T = DTYPE;
constexpr Activation kActivation = Activation::ACTIVATION;
using Elements = Packet<T, VECTOR_BYTES>;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kUnroll = UNROLL;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;

// The second bound does more than cap registers: without it ptxas aims at an occupancy of its own
// choice, moves loads down to where their values are used to get there, and the UNROLL loads are no
// longer in flight together.
//
// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   g, u      [rows, d] of dtype
//   out       [rows, d] of dtype, written
//   elements  rows*d
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    gated_activation(const T* __restrict__ g, const T* __restrict__ u, T* __restrict__ out,
                     i64 elements) {
  const i64 packets = elements / Elements::kElements;
  const i64 first = static_cast<i64>(blockIdx.x) * (kThreads * kUnroll) + threadIdx.x;

  Elements gates[kUnroll], values[kUnroll];
#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const i64 packet = first + k * kThreads;
    gates[k] = Elements::load_if<kLoadHint>(packet < packets, g, packet);
    values[k] = Elements::load_if<kLoadHint>(packet < packets, u, packet);
  }

#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const i64 packet = first + k * kThreads;
    gated<kActivation>(gates[k], values[k]).store_if<kStoreHint>(packet < packets, out, packet);
  }

  // The elements that fill no packet are fewer than a packet holds, so one thread each is enough.
  if constexpr (Elements::kElements > 1) {
    const i64 last = packets * Elements::kElements + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1 && last < elements)
      out[last] = from_float<T>(gated<kActivation>(to_float(g[last]), to_float(u[last])));
  }
}
