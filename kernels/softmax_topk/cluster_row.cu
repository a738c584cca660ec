// Softmax + top-k of few rows in one launch: the blocks of a cluster share a row, and exchange
// their candidates through distributed shared memory.
//
// With fewer rows than SMs a block per row leaves SMs idle (threshold.cu), and parts that meet in
// global memory cost a second launch and an exact cut of every part before it (split.cu): half of
// the 10 us that a single row takes. Here:
//   1. Each block streams its part as in threshold.cu: a sum, and at least as many candidates as
//      the row's best k have in this part, usually few more than k.
//   2. One barrier of the cluster. Every block copies the candidates of all to its own shared
//      memory, 16 KB at most, and merges the sums.
//   3. Every block ranks its own candidates among all of them by counting, a warp for each at a
//      time, and stores those below k. No block waits for a single one to finish.
//
// Tunables:
//   CLUSTER    blocks that share a row. More: shorter parts, and more candidates in all
//   THREADS, UNROLL, CAPACITY   as in threshold.cu, per part. A part that is one tile has its
//              threshold from all of it
//   MIN_BLOCKS blocks that must fit on an SM at once: a limit on registers
//
// Requires: compute capability 9.0; what threshold.cu requires; 32 * CLUSTER <= THREADS.
//
// Next idea: clusters of 16, which not every device can run; the threshold of the whole row's first
// tiles, by an exchange of maxima, for parts of many tiles.
#include "cluster.cuh"
#include "defaults.cuh"
#include "streaming_topk.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kCluster = CLUSTER;
constexpr int kThreads = THREADS, kWarps = kThreads / kWarpSize;
constexpr int kMinBlocks = MIN_BLOCKS;
using Stream = StreamingTopK<Logit, kTopK, kThreads, UNROLL, CAPACITY, false>;
static_assert(kWarps >= kCluster, "at least a warp copies from each block");

struct alignas(16) Shared {
  u64 keys[CAPACITY];                  // of the part
  u64 all[kCluster * Stream::kFinal];  // of the row
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

__device__ __forceinline__ u64 load_remote_key(u32 address) {
  u64 key;
  asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(key) : "r"(address) : "memory");
  return key;
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits   [rows, V] of dtype
//   probs    [rows, K] of f32, written
//   indices  [rows, K] of i32, written
//   V        vocabulary size
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    softmax_topk_cluster(const Logit* __restrict__ logits, float* __restrict__ probs,
                         int* __restrict__ indices, int V) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ StreamScratch scratch;
  __shared__ float4 part;  // maximum, sum, candidates; for the others
  const int rank = static_cast<int>(blockIdx.x % static_cast<u32>(kCluster));
  const i64 row = blockIdx.x / static_cast<u32>(kCluster);
  const int warp = uniform_warp_id(), lane = lane_id();

  // As in split.cu: parts meet on sector boundaries; the last of a short row may be empty.
  const int length = ((V + kCluster - 1) / kCluster + 31) / 32 * 32;
  const int first = min(rank * length, V);
  Stream stream(shared.keys, scratch);
  stream.scan(logits + row * V + first, min(length, V - first), first);
  const int own_count = stream.reduce_to_final();
  const SoftmaxSum own = stream.softmax();
  if (threadIdx.x == 0) part = make_float4(own.maximum, own.sum, __int_as_float(own_count), 0.0f);
  cluster_sync();

  // Lane b reads the results of block b; every warp does so by itself.
  SoftmaxSum total;
  int count = 0;
  if (lane < kCluster) {
    const float4 other = load_remote_4(remote_address(&part, static_cast<u32>(lane)));
    total.maximum = other.x;
    total.sum = other.y;
    count = __float_as_int(other.z);
  }
  total = warp_merge(total);
  int end = count;  // of its candidates among all
#pragma unroll
  for (int distance = 1; distance < kCluster; distance *= 2) {
    const int before = __shfl_up_sync(kFullMask, end, distance);
    end += lane >= distance ? before : 0;
  }
  const int all_count = __shfl_sync(kFullMask, end, kCluster - 1);
  {
    const int from = warp % kCluster;
    const int from_count = __shfl_sync(kFullMask, count, from);
    const int place = __shfl_sync(kFullMask, end, from) - from_count;
    constexpr int kShare = kWarps / kCluster;  // warps that copy from a block, at least
    if (warp / kCluster < kShare) {
      for (int i = warp / kCluster * kWarpSize + lane; i < from_count; i += kShare * kWarpSize)
        shared.all[place + i] =
            load_remote_key(remote_address(&shared.keys[i], static_cast<u32>(from)));
    }
  }
  __syncthreads();

  for (int candidate = warp; candidate < own_count; candidate += kWarps) {
    const u64 key = shared.keys[candidate];
    int better = 0;
#pragma unroll 4
    for (int i = lane; i < all_count; i += kWarpSize) better += shared.all[i] > key ? 1 : 0;
    better = __reduce_add_sync(kFullMask, better);
    if (lane == 0 && better < kTopK) {
      probs[row * kTopK + better] = total.probability(key_value(key));
      indices[row * kTopK + better] = key_index(key);
    }
  }
  cluster_sync_relaxed();  // others may still copy from here
}
