// Embedding lookup with positions, by rows: LANES threads share a token and read both of its rows
// in wide accesses.
//
// Algorithm: all threads of a group read the token's two numbers, which is one access of a warp.
// Thread l of a group then takes packets l, l + LANES, ... of VECTOR_BYTES; it issues its 2 *
// UNROLL loads before it adds anything. The latency of a token is two loads, one after the other:
// numbers, then rows. The more tokens an SM works on at once, the better it is hidden.
//
// Tunables:
//   THREADS       a block; THREADS / LANES tokens
//   LANES         that share a token. Fewer: more tokens in flight, and longer loops for each.
//   LANES
//                 * UNROLL packets are a row in one step
//   UNROLL        loads in flight per row and thread
//   VECTOR_BYTES  16, unless rows are not a multiple of it
//   STORE_HINT    streaming makes the results the first lines that L2 evicts, so that rows of the
//                 tables, which other tokens read again, stay
//
// Requires: rows that are multiples of VECTOR_BYTES.
//
// Next idea: sort tokens by their number, so that each row of the table is read once.
#include "defaults.cuh"
#include "packet.cuh"
#include "row.cuh"
#include "types.cuh"

using T = DTYPE;
using Elements = Packet<T, VECTOR_BYTES>;
constexpr int kThreads = THREADS;
constexpr int kLanes = LANES;
constexpr int kUnroll = UNROLL;
constexpr Hint kStoreHint = Hint::STORE_HINT;
static_assert(kThreads % kLanes == 0, "groups of a block are whole");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   ids        [tokens] of i32
//   places     [tokens] of i32
//   table      [vocabulary, d] of dtype
//   positions  [length, d] of dtype
//   out        [tokens, d] of dtype, written
extern "C" __global__ void __launch_bounds__(kThreads)
    embedding(const int* __restrict__ ids, const int* __restrict__ places,
              const T* __restrict__ table, const T* __restrict__ positions, T* __restrict__ out,
              int tokens, int vocabulary, int length, int d) {
  const i64 token =
      static_cast<i64>(blockIdx.x) * (kThreads / kLanes) + threadIdx.x / static_cast<u32>(kLanes);
  if (token >= tokens) return;
  const TableRow<T> word(table, __ldg(ids + token), vocabulary, d);
  const TableRow<T> place(positions, __ldg(places + token), length, d);
  T* const row = out + token * d;

  // Packets of zeros, all bits of which are 0, stand for what a table does not have.
  const int packets = d / Elements::kElements;
  for (int first = static_cast<int>(threadIdx.x % static_cast<u32>(kLanes)); first < packets;
       first += kLanes * kUnroll) {
    Elements words[kUnroll], here[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const int packet = first + k * kLanes;
      words[k] = Elements::load_if(word.exists && packet < packets, word.elements, packet);
      here[k] = Elements::load_if(place.exists && packet < packets, place.elements, packet);
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const int packet = first + k * kLanes;
      float sums[Elements::kElements], added[Elements::kElements];
      words[k].unpack(sums);
      here[k].unpack(added);
#pragma unroll
      for (int e = 0; e < Elements::kElements; ++e) sums[e] += added[e];
      Elements::pack(sums).template store_if<kStoreHint>(packet < packets, row, packet);
    }
  }
}
