// Layer normalisation for few rows: y = (z - mean) / sqrt(variance + eps) * w + b, z =
// x or x + r, a cluster of blocks has ROWS rows, each of its blocks a part of the columns of all of
// them.
//
// Algorithm: CLUSTER * THREADS threads own the packets of a row as THREADS do in block_row.cu. Each
// warp takes the moments of what it holds of each row and stores them in the shared memory of every
// block of the cluster: lane i in that of block i. One barrier of the cluster later every warp
// combines the moments of a row by itself, CLUSTER * THREADS / 32 of them. The barrier that shared
// memory of another block requires before it is written to is arrived at before the loads and
// waited for after them.
//
// Purpose: in a decode batch w and b are more than the rows. 128 blocks with a row of 16 KB each
// read the same 32 KB of w and b, 4 MB from L2 in all next to 2 MB of x, on the critical path of a
// launch of 3 us. With 4 rows to a cluster of 4 every block reads a quarter of w and b: 1 MB in
// all, by as many blocks as before. CLUSTER * THREADS is at most 1024, because a lane combines the
// moments of one warp.
//
//     registers per thread, bf16: ROWS * VECTORS * 8 + VECTORS * 8 + 30
//
// Tunables:
//   CLUSTER         blocks that share rows. More of them divide w and b by more, and wait for more
//                   blocks
//   ROWS            rows of a cluster, all held at once: as many as blocks keeps the number of
//                   blocks at that of rows; 1 puts several SMs on a row, for very few
//   THREADS         threads of a block
//   VECTORS         packets per thread and row: CLUSTER * THREADS * VECTORS packets must hold a row
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple
//   LOAD_HINT, STORE_HINT   as in block_row.cu
//
// Requires: compute capability 9.0; rows aligned to VECTOR_BYTES; eps > 0; squares of distances
// whose sum f32 can hold.
//
// Next idea: w and b by one multicast copy to all blocks that need the same part of them.
#include "cluster.cuh"
#include "defaults.cuh"
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr bool kResidual = RESIDUAL;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kCluster = CLUSTER;
constexpr int kRows = ROWS;
constexpr int kVectors = VECTORS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
constexpr int kStride = kCluster * kThreads;  // threads that share a row
constexpr int kBlockWarps = kThreads / kWarpSize, kWarps = kCluster * kBlockWarps;
static_assert(kThreads % kWarpSize == 0, "the reduction is over whole warps");
static_assert(kWarps <= kWarpSize, "a lane combines the moments of one warp");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [rows, d] of dtype
//   r          [rows, d] of dtype; not read without residual
//   w, b       [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written: x + r; empty if there is no residual
//   rows       tokens
//   d          width of a row
//   inverse_d  1/d
//   eps        added to the variance under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    layernorm_rows(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
                   const T* __restrict__ b, T* __restrict__ y, T* __restrict__ z, int rows, int d,
                   float inverse_d, float eps) {
  __shared__ Moments warps[kRows][kWarps];
  cluster_arrive();
  const int first_row = static_cast<int>(cluster_index()) * kRows;
  const int rank = static_cast<int>(cluster_rank());
  // A block's packets of a row are neighbours, so its warps' are: the first lane of a warp has the
  // warp's first packet.
  const int first = rank * kThreads + static_cast<int>(threadIdx.x);
  // A row past the last has no packets: it touches no memory, but takes part.
  const auto packets = [&](int i) {
    return first_row + i < rows ? d / Packet<T, kBytes>::kElements : 0;
  };
  const auto offset = [&](int i) { return static_cast<i64>(first_row + i) * d; };

  RowInputs<T, kBytes, kVectors, kStride, kResidual> inputs[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i)
    inputs[i].load<kLoadHint>(x + offset(i), r + offset(i), first, packets(i));
  RowWeights<T, kBytes, kVectors, kStride> weights, biases;
  weights.load(w, first, packets(0));
  biases.load(b, first, packets(0));

  RowValues<T, kBytes, kVectors, kStride> values[kRows];
  float pivots[kRows];
  cluster_wait();
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    values[i].take(inputs[i]);
    if constexpr (kResidual) values[i].store<kStoreHint>(z + offset(i), first, packets(i));
    const Moments own = values[i].take_moments<kWarpSize>(first, packets(i));
    pivots[i] = own.pivot;
    if (lane_id() < kCluster)
      store_remote_4(
          remote_address(&warps[i][rank * kBlockWarps + warp_id()], static_cast<u32>(lane_id())),
          make_float4(own.pivot, own.mean, own.squares, own.count));
  }
  cluster_arrive();
  cluster_wait();

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const Moments whole = combine<kWarps>(warps[i], inverse_d);
    const float scale = inverse_deviation(whole, inverse_d, eps);
    const float distance = (whole.pivot - pivots[i]) + whole.mean;  // of the mean from the pivot
    values[i].store_normalized<kStoreHint>(y + offset(i), distance, scale, weights, biases, first,
                                           packets(i));
  }
}
