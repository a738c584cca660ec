// Top-k of the scores of many experts, or of many of them, with a block per token: a threshold by
// bisection, then a rank by counting.
//
// Algorithm: each of THREADS threads holds its share of the scores as keys of 64 bits that order
// (score descending, expert ascending). The block halves the range of keys until a threshold leaves
// k of them, or a few more (block_select() of topk.cuh): one barrier a step, fewer than 64 steps
// whatever k is, where k rounds take k. The keys that reach it go to shared memory, in any order,
// and every key counts those that beat it, which is its place.
//
// Tunables:
//   THREADS  of a block. More hold fewer keys each and rank with more hands, and wait longer at
//            each barrier
//
// Requires: k <= THREADS, and at most 64 keys a thread.
//
// Next idea: bisection over the upper halves of the keys alone, as most rows have no ties at the
// threshold; digits of 8 bits with counts in shared memory, which need 8 steps and not 64.
#include "defaults.cuh"
#include "packet.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "warp.cuh"

using Score = DTYPE;
constexpr int kExperts = EXPERTS;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;
constexpr int kPerThread = (kExperts + kThreads - 1) / kThreads;
// Keys to rank: with a little slack the bisection ends early, and ranking costs their square.
constexpr int kSlack = kTopK / 4 + 8;
constexpr int kPlaces = kTopK + kSlack < kThreads ? kTopK + kSlack : kThreads;
static_assert(kTopK <= kThreads && kPerThread <= 64);

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   scores  [tokens, experts] of dtype
//   ids     [tokens, k] of i32, written
//   values  [tokens, k] of dtype, written
//   tokens  rows of scores
extern "C" __global__ void __launch_bounds__(kThreads)
    topk_select(const Score* __restrict__ scores, int* __restrict__ ids, Score* __restrict__ values,
                int tokens) {
  __shared__ SelectScratch scratch;
  __shared__ __align__(16) u64 best[kPlaces];
  __shared__ int count;
  const i64 token = blockIdx.x;
  const Score* const row = scores + token * kExperts;

  Score loaded[kPerThread];  // all loads before any is used
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int expert = i * kThreads + static_cast<int>(threadIdx.x);
    loaded[i] = expert < kExperts ? row[expert] : Score{};
  }
  u64 keys[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int expert = i * kThreads + static_cast<int>(threadIdx.x);
    keys[i] = expert < kExperts ? make_key(to_float(loaded[i]), expert) : 0;
  }
  if (threadIdx.x == 0) count = 0;  // seen by all after the barriers of the bisection

  const u64 threshold = block_select<kThreads>(keys, kExperts, kTopK, kPlaces, scratch);
#pragma unroll
  for (int i = 0; i < kPerThread; ++i)
    if (keys[i] != 0 && keys[i] >= threshold) best[atomicAdd(&count, 1)] = keys[i];
  __syncthreads();

  rank_by_counting<kThreads, kPlaces>(best, count, kTopK, [&](int rank, u64 key) {
    const i64 place = token * kTopK + rank;
    ids[place] = key_index(key);
    values[place] = row[key_index(key)];
  });
}
