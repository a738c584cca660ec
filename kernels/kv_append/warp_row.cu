// New keys and values into a cache: a warp for each row of each token.
//
// Algorithm: a grid of [rows, tokens, sequences] needs no division. Lane l has the pairs l, l + 32,
// ... of its row, which are the elements that a rotation mixes: (i, i + d/2) or (2i, 2i + 1). It
// loads them one by one, rotates them by the table's angles, and stores them where the sequence
// ends. Scales come from a warp-wide maximum.
//
// This is the shape that people write first, and it is not bad: a row of 128 is 4 loads and 4
// stores of 2 bytes a lane, each of them whole sectors. It is kept plain, as the baseline.
//
// Tunables:
//   THREADS   only groups rows into blocks
//
// Requires: every position below capacity; compute capability 8.9 for e4m3.
//
// Next idea: vectors, and angles that do not wait for the position (vectors.cu).
#include "append.cuh"
#include "defaults.cuh"

using T = DTYPE;
using C = CACHE;
constexpr int kD = HEAD_DIM;
constexpr int kPage = PAGE;
constexpr Rope kRope = Rope::ROPE;
constexpr int kThreads = THREADS;
constexpr int kPairs = kD / 2 / kWarpSize;  // of a lane

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   k, v              [batch, q_len, kv_heads, d] of dtype
//   q                 [batch, q_len, heads, d] of dtype
//   lengths           [batch] of i32: positions of the first new tokens
//   page_table        [batch, capacity/page] of i32: the pages of each sequence; not read without
//                     pages
//   cosines           [positions, d/2] of f32: the cosine of each angle
//   sines             [positions, d/2] of f32: the sine of each angle
//   k_cache, v_cache  [batch, capacity, kv_heads, d] of cache, read and written
//   k_scale, v_scale  [batch, capacity, kv_heads] of f32, read and written, if the cache is
//                     quantised
//   q_out             [batch, q_len, heads, d] of dtype, written: rotated q; empty if nothing is
//                     rotated
//   heads             heads of q
//   kv_heads          heads of k and v
//   capacity          places that the cache has for each sequence
extern "C" __global__ void __launch_bounds__(kThreads)
    kv_append(const T* __restrict__ k, const T* __restrict__ v, const T* __restrict__ q,
              const i32* __restrict__ lengths, const i32* __restrict__ page_table,
              const float* __restrict__ cosines, const float* __restrict__ sines,
              C* __restrict__ k_cache, C* __restrict__ v_cache, float* __restrict__ k_scale,
              float* __restrict__ v_scale, T* __restrict__ q_out, int heads, int kv_heads,
              int capacity) {
  const int slot = static_cast<int>(blockIdx.x) * (kThreads / kWarpSize) + warp_id();
  const int slots = 2 * kv_heads + (kRope == Rope::none ? 0 : heads);
  if (slot >= slots) return;
  const Row row(slot, kv_heads);
  const int sequence = static_cast<int>(blockIdx.z);
  const i64 token = static_cast<i64>(sequence) * gridDim.y + blockIdx.y;
  // Every row of the token reads it again: one load of one sector a warp.
  const int position = lengths[sequence] + static_cast<int>(blockIdx.y);

  const T* const from = (row.is_q   ? q
                         : row.is_v ? v
                                    : k) +
                        (token * (row.is_q ? heads : kv_heads) + row.head) * kD;
  // As they were loaded: what is not rotated is stored so, and a NaN keeps its bits.
  T first[kPairs], second[kPairs];
  const auto first_at = [&](int i) {
    const int pair = lane_id() + i * kWarpSize;
    return kRope == Rope::interleaved ? 2 * pair : pair;
  };
  constexpr int kApart = kRope == Rope::interleaved ? 1 : kD / 2;
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    first[i] = from[first_at(i)];
    second[i] = from[first_at(i) + kApart];
  }

  float a[kPairs], b[kPairs];
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    a[i] = to_float(first[i]);
    b[i] = to_float(second[i]);
    if (kRope != Rope::none && !row.is_v) {
      const i64 angle = static_cast<i64>(position) * (kD / 2) + lane_id() + i * kWarpSize;
      turn_pair(a[i], b[i], sines[angle], cosines[angle]);
      first[i] = from_float<T>(a[i]);
      second[i] = from_float<T>(b[i]);
    }
  }

  // q has a place of its own, token by token, and ends here.
  if (row.is_q) {
    T* const to = q_out + (token * heads + row.head) * kD;
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      to[first_at(i)] = first[i];
      to[first_at(i) + kApart] = second[i];
    }
    return;
  }
  const i64 place = place_of<kPage>(position, sequence, capacity, page_table) * kv_heads + row.head;
  C* const to = (row.is_v ? v_cache : k_cache) + place * kD;
  float amax = 0.0f;
  if constexpr (kQuantised<C>) {
#pragma unroll
    for (int i = 0; i < kPairs; ++i) amax = fmaxf(amax, fmaxf(fabsf(a[i]), fabsf(b[i])));
    amax = warp_max(amax);
    if (lane_id() == 0) (row.is_v ? v_scale : k_scale)[place] = amax / kLimit<C>;
  }
  const Quantiser<C> quantiser(amax);
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    to[first_at(i)] = kept_element<C>(first[i], a[i], quantiser);
    to[first_at(i) + kApart] = kept_element<C>(second[i], b[i], quantiser);
  }
}
