// Scaling of queries by position, flat: out = q * s(position), every thread computes UNROLL packets
// and is done.
//
// Algorithm: [tokens, width] is one array of packets of VECTOR_BYTES, none of which spans two
// tokens. A block owns THREADS * UNROLL consecutive packets, and thread t takes packets t, t +
// THREADS, ...: each access of a warp is one contiguous run. A thread issues its loads of q, then
// those of the positions of its packets, which need a division each and come from L1 mostly, and
// computes only then.
//
//     bytes in flight per SM = resident threads * UNROLL * VECTOR_BYTES
//
// Tunables:
//   THREADS         small blocks start and drain smoothly and spread few elements over more SMs
//   UNROLL          more loads in flight per thread, for 5 registers per step of 16 bytes
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    16 is the widest access; narrower ones spread one token over more threads
//   LOAD_HINT       streaming keeps q, which is read once, out of L1
//   STORE_HINT      streaming makes the results the first lines that L2 evicts; attention reads
//                   them next, though
//
// Requires: tokens aligned to VECTOR_BYTES; 0 <= position < 2^24 - 1; fewer than 2^31 elements.
// Traffic: q and out once, 4 bytes a token.
//
// Next idea: a block that has one token needs no division, and one position: token_row.cu.
#include "defaults.cuh"
#include "irope.cuh"
#include "packet.cuh"
#include "types.cuh"

using T = DTYPE;
using Elements = Packet<T, VECTOR_BYTES>;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kUnroll = UNROLL;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q            [tokens, heads, d] of dtype
//   positions    [tokens] of i32
//   out          [tokens, heads, d] of dtype, written
//   tokens       tokens of all sequences
//   width        elements of a token, heads*d
//   floor_scale  positions between two steps of the factor
//   attn_scale   how much the logarithm counts
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    irope_scale(const T* __restrict__ q, const i32* __restrict__ positions, T* __restrict__ out,
                int tokens, int width, float floor_scale, float attn_scale) {
  const u32 per_token = static_cast<u32>(width / Elements::kElements);
  const u32 packets = per_token * static_cast<u32>(tokens);
  const u32 first = blockIdx.x * (kThreads * kUnroll) + threadIdx.x;

  Elements elements[kUnroll];
  i32 position[kUnroll];
#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const u32 packet = first + k * kThreads;
    elements[k] = Elements::load_if<kLoadHint>(packet < packets, q, packet);
  }
#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    // The last packet's for those that do not exist: a branch would make each load wait for the one
    // before it.
    position[k] = __ldg(positions + min(first + k * kThreads, packets - 1) / per_token);
  }

#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const u32 packet = first + k * kThreads;
    const float factor = irope_factor(position[k], floor_scale, attn_scale);
    float values[Elements::kElements];
    elements[k].unpack(values);
#pragma unroll
    for (int i = 0; i < Elements::kElements; ++i) values[i] *= factor;
    Elements::pack(values).store_if<kStoreHint>(packet < packets, out, packet);
  }
}
