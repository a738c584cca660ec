// Choices of experts in the order of experts, by one block: for a decode batch, in one launch.
//
// Algorithm (tile.cuh): every warp counts the experts among its choices in a row of its own, thread
// e adds up the column of expert e, a scan over the threads makes offsets of the sums, and another
// pass over the column tells each warp where its choices begin. Three barriers.
//
// Tunables:
//   THREADS     of the block
//   PER_THREAD  choices of a thread; THREADS * PER_THREAD are all that there may be
//
// Requires: a thread for every expert.
//
// Next idea: more choices than a block holds: blocks.cu.
#include "defaults.cuh"
#include "tile.cuh"

constexpr int kThreads = THREADS;
using Tile = ChoiceTile<THREADS, PER_THREAD>;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   ids              [tokens, k] of i32
//   weights          [tokens, k] of dtype
//   counts           [experts] of i32, written
//   offsets          [experts + 1] of i32, written
//   order, position  [choices] of i32, written
//   ordered_weights  [choices] of dtype, written
//   choices          entries of ids, tokens*k
//   experts          number of experts
extern "C" __global__ void __launch_bounds__(kThreads)
    moe_permute(const int* __restrict__ ids, const float* __restrict__ weights,
                int* __restrict__ counts, int* __restrict__ offsets, int* __restrict__ order,
                int* __restrict__ position, float* __restrict__ ordered_weights, int choices,
                int experts) {
  extern __shared__ int rows[];
  __shared__ int scratch[kMaxWarps];
  const int expert = static_cast<int>(threadIdx.x);
  Tile tile;
  tile.load(ids, 0, choices);
  tile.count(rows, experts);
  const int total = tile.total(rows, experts);
  const int offset = block_sum_before<kThreads>(total, scratch);
  if (expert < experts) {
    counts[expert] = total;
    offsets[expert] = offset;
    if (expert == experts - 1) offsets[experts] = offset + total;
  }
  tile.spread(rows, experts, offset);
  tile.store(rows, experts, weights, order, position, ordered_weights);
}
