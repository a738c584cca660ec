// Choices of experts in the order of experts, by many blocks in two launches.
//
// Algorithm: the first launch leaves in `block_counts` how often each expert is in each block's
// tile. The second has the same tiles; thread e of every block adds up column e, of all blocks for
// the offsets and of the earlier ones for its own place, which takes blocks * experts words from
// L2, 74 KB for 48 blocks and 384 experts, less than another launch for a scan would cost. The rest
// is one_block.cu.
//
// Tunables:
//   THREADS     of a block
//   PER_THREAD  choices of a thread. Fewer make more blocks, and longer columns
//
// Requires: a thread for every expert.
//
// Next idea: one launch, whose blocks wait for each other between the halves.
#include "defaults.cuh"
#include "tile.cuh"

constexpr int kThreads = THREADS;
using Tile = ChoiceTile<THREADS, PER_THREAD>;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   ids           [tokens, k] of i32
//   block_counts  [blocks, experts] of i32, scratch
//   choices       entries of ids, tokens*k
//   experts       number of experts
extern "C" __global__ void __launch_bounds__(kThreads)
    moe_permute_count(const int* __restrict__ ids, int* __restrict__ block_counts, int choices,
                      int experts) {
  extern __shared__ int counts[];
  for (int e = static_cast<int>(threadIdx.x); e < experts; e += kThreads) counts[e] = 0;
  Tile tile;
  tile.load(ids, static_cast<int>(blockIdx.x), choices);
  __syncthreads();
  // Sums of ones are the same in any order.
#pragma unroll
  for (int i = 0; i < PER_THREAD; ++i)
    if (tile.expert[i] >= 0) atomicAdd(&counts[tile.expert[i]], 1);
  __syncthreads();
  int* const row = block_counts + static_cast<i64>(blockIdx.x) * experts;
  for (int e = static_cast<int>(threadIdx.x); e < experts; e += kThreads) row[e] = counts[e];
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   ids              [tokens, k] of i32
//   weights          [tokens, k] of dtype
//   block_counts     [blocks, experts] of i32, scratch
//   counts           [experts] of i32, written
//   offsets          [experts + 1] of i32, written
//   order, position  [choices] of i32, written
//   ordered_weights  [choices] of dtype, written
//   choices          entries of ids, tokens*k
//   experts          number of experts
extern "C" __global__ void __launch_bounds__(kThreads)
    moe_permute_place(const int* __restrict__ ids, const float* __restrict__ weights,
                      const int* __restrict__ block_counts, int* __restrict__ counts,
                      int* __restrict__ offsets, int* __restrict__ order,
                      int* __restrict__ position, float* __restrict__ ordered_weights, int choices,
                      int experts) {
  extern __shared__ int rows[];
  __shared__ int scratch[kMaxWarps];
  const int expert = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  Tile tile;
  tile.load(ids, block, choices);
  int total = 0, earlier = 0;
  if (expert < experts) {
#pragma unroll 16
    for (int b = 0; b < static_cast<int>(gridDim.x); ++b) {
      const int count = __ldg(block_counts + static_cast<i64>(b) * experts + expert);
      total += count;
      earlier += b < block ? count : 0;
    }
  }
  tile.count(rows, experts);
  const int offset = block_sum_before<kThreads>(total, scratch);
  if (block == 0 && expert < experts) {
    counts[expert] = total;
    offsets[expert] = offset;
    if (expert == experts - 1) offsets[experts] = offset + total;
  }
  tile.spread(rows, experts, offset + earlier);
  tile.store(rows, experts, weights, order, position, ordered_weights);
}
