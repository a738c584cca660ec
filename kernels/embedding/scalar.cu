// Embedding lookup with positions, scalar: an element of the output per thread. The baseline.
//
// Algorithm: thread i computes element i. It divides to find its token, and reads the token's two
// numbers for itself: neighbours read the same, which costs instructions and no memory.
//
// Tunables:
//   THREADS  threads per block; it only changes how the warps are grouped.
//
// Requires nothing of sizes or alignment.
//
// Next idea: a group of threads for each token, which reads its numbers once and its rows in wide
// accesses: rows.cu.
#include "defaults.cuh"
#include "row.cuh"
#include "types.cuh"

using T = DTYPE;
constexpr int kThreads = THREADS;

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
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= static_cast<i64>(tokens) * d) return;
  const i64 token = i / d;
  const int column = static_cast<int>(i - token * d);
  const TableRow<T> word(table, ids[token], vocabulary, d);
  const TableRow<T> place(positions, places[token], length, d);
  out[i] = from_float<T>(word.load(column) + place.load(column));
}
