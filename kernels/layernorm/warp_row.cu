// Layer normalisation for short rows: y = (z - mean) / sqrt(variance + eps) * w + b, z = x or
// x + r, several rows per warp.
//
// Algorithm: a group of LANES lanes holds one row in registers, and a butterfly of shuffles inside
// the group is the whole reduction, mean and variance at once (norm_row.cuh): no shared memory, no
// barrier, and no warp waits for another. A block of THREADS threads has THREADS / LANES rows. Lane
// l of a group owns packets l, l + LANES, ...
//
//     d = 128 in bf16 is 16 packets: with LANES 16 and LANE_VECTORS 1 a warp has two rows,
//     and every lane works
//
// Tunables:
//   THREADS         only groups rows into blocks: small blocks drain evenly at the end
//   LANES           lanes per row: fewer lanes shorten the butterfly and need more LANE_VECTORS for
//                   the same row
//   LANE_VECTORS    packets per lane: LANES * LANE_VECTORS packets must hold a row, and more than
//                   that is idle
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple, so sizeof(dtype) itself
//                   suits any d
//   LOAD_HINT       streaming keeps x and r out of L1, which leaves L1 to w and b; short rows have
//                   so small a w that it should stay there either way
//   STORE_HINT      streaming makes the results the first lines that L2 evicts
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; squares of distances whose sum f32 can hold.
//
// Next idea: let a warp walk over rows with w and b kept in registers; on short rows, w and b from
// L1 are two thirds of all loads.
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

#ifndef DTYPE
#define DTYPE bf16
#endif
#ifndef RESIDUAL
#define RESIDUAL 0
#endif
#ifndef THREADS
#define THREADS 128
#endif
#ifndef LANES
#define LANES 32
#endif
#ifndef LANE_VECTORS
#define LANE_VECTORS 4
#endif
#ifndef THREADS_PER_SM
#define THREADS_PER_SM 1024
#endif
#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#ifndef LOAD_HINT
#define LOAD_HINT none
#endif
#ifndef STORE_HINT
#define STORE_HINT none
#endif

using T = DTYPE;
constexpr bool kResidual = RESIDUAL;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kLanes = LANES;
constexpr int kVectors = LANE_VECTORS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
static_assert(kThreads % kWarpSize == 0 && kWarpSize % kLanes == 0,
              "groups divide warps, warps divide blocks");

extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    layernorm_rows(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
                   const T* __restrict__ b, T* __restrict__ y, T* __restrict__ z, int rows, int d,
                   float inverse_d, float eps) {
  const int row =
      static_cast<int>(blockIdx.x) * (kThreads / kLanes) + static_cast<int>(threadIdx.x) / kLanes;
  const i64 offset = static_cast<i64>(row) * d;
  const int first = threadIdx.x % kLanes;
  // A group past the last row has a row of no packets: it touches no memory, but its lanes stay for
  // the shuffles, which name all 32.
  const int packets = row < rows ? d / Packet<T, kBytes>::kElements : 0;

  RowInputs<T, kBytes, kVectors, kLanes, kResidual> inputs;
  RowWeights<T, kBytes, kVectors, kLanes> weights, biases;
  inputs.load<kLoadHint>(x + offset, r + offset, first, packets);
  weights.load(w, first, packets);
  biases.load(b, first, packets);

  RowValues<T, kBytes, kVectors, kLanes> values;
  values.take(inputs);
  if constexpr (kResidual) values.store<kStoreHint>(z + offset, first, packets);
  const Moments own = values.take_moments<kLanes>(first, packets);

  const float scale = inverse_deviation(own, inverse_d, eps);
  values.store_normalized<kStoreHint>(y + offset, own.mean, scale, weights, biases, first, packets);
}
