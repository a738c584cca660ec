// Scaling of queries by position, blocks of one token: out = q * s(position).
//
// Algorithm: the grid is tokens x pieces of a token, a piece being THREADS * UNROLL packets. A
// block's token is its x coordinate: no division, and one position for all of its threads, whose
// load is issued with those of q and arrives with them. The factor is computed once per thread.
//
//     32 heads of 128 in bf16 are 512 packets: 128 threads with UNROLL 4 have the whole token
//
//     bytes in flight per SM = resident threads * UNROLL * VECTOR_BYTES
//
// Tunables:
//   THREADS         many small blocks for few tokens; otherwise THREADS * UNROLL should divide a
//                   token's packets, or the last piece has idle threads
//   UNROLL          more loads in flight per thread, for 4 registers per step of 16 bytes, and the
//                   position, the factor and the block's start for more bytes
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    16 is the widest access; narrower ones spread one token over more threads
//   LOAD_HINT       streaming keeps q, which is read once, out of L1
//   STORE_HINT      streaming makes the results the first lines that L2 evicts; attention reads
//                   them next, though
//
// Requires: tokens aligned to VECTOR_BYTES; 0 <= position < 2^24 - 1.
// Traffic: q and out once, 4 bytes a token.
//
// Next idea: not to run at all. The factor multiplies whole rows of q, so attention can take it
// into its softmax scale: sdpa_irope.
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
                int, int width, float floor_scale, float attn_scale) {
  const int packets = width / Elements::kElements;  // of the token
  const int first = static_cast<int>(blockIdx.y) * (kThreads * kUnroll) + threadIdx.x;
  const i64 token = static_cast<i64>(blockIdx.x) * width;

  const i32 position = __ldg(positions + blockIdx.x);
  Elements elements[kUnroll];
#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const int packet = first + k * kThreads;
    elements[k] = Elements::load_if<kLoadHint>(packet < packets, q + token, packet);
  }

  const float factor = irope_factor(position, floor_scale, attn_scale);
#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const int packet = first + k * kThreads;
    float values[Elements::kElements];
    elements[k].unpack(values);
#pragma unroll
    for (int i = 0; i < Elements::kElements; ++i) values[i] *= factor;
    Elements::pack(values).store_if<kStoreHint>(packet < packets, out + token, packet);
  }
}
