// Decode attention, the plain way: one block per query and head of q.
//
// Algorithm. A tile of TILE keys goes to shared memory, every key gets its score, the row's maximum
// and sum are brought up to date, the same shared memory takes the tile's values, and every thread
// adds those of its columns. Barriers stand between the phases, so nothing is loaded while scores
// are computed: most of the time memory rests. Heads that share keys and values read them again
// each, from L2 if they are lucky, and one long sequence occupies no more than `heads` of the 132
// SMs. That is what the other variants are for.
//
// Tunables:
//   TILE  keys of a tile. More mean fewer barriers, fewer mean more blocks on an SM, whose phases
//         then overlap
//
// Requires: nothing beyond 16-byte rows.
//
// Next idea: a warp needs no shared memory to see keys (split.cu), and heads that share keys can
// share the reading of them (mma.cu).
#include "cache.cuh"
#include "defaults.cuh"
#include "packet.cuh"
#include "warp.cuh"
#include "work.cuh"

enum class ScalesOf { token, head };

using Element = DTYPE;
using CacheElement = CACHE;
constexpr bool kScaled = sizeof(CacheElement) == 1;
constexpr ScalesOf kScalesOf = ScalesOf::SCALES;
constexpr int kD = HEAD_DIM;
constexpr int kPage = PAGE;
constexpr int kTile = TILE;
constexpr int kThreads = 128;
constexpr int kColumns = (kD + kThreads - 1) / kThreads;  // of a thread

using Packet16 = Packet<CacheElement, 16>;
constexpr int kPackets = kD / Packet16::kElements;  // in a row
constexpr int kLanes = kThreads / kTile;            // that share a key
static_assert(kTile <= kThreads && kTile % 16 == 0);

struct Shared {
  // Rows begin 16 bytes further on in the banks each, so that lanes with different keys meet in
  // none.
  CacheElement rows[kTile][kD + Packet16::kElements];
  float query[kD];
  float weights[kTile];
  float scratch[kMaxWarps];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Rows that no query sees may be NaN, and zero times NaN is NaN: they are not loaded.
__device__ __forceinline__ void load_tile(Shared& shared, const CacheElement* __restrict__ cache,
                                          const Shape& shape, const Visible& visible, int sequence,
                                          int kv_head, int first_key) {
  for (int i = static_cast<int>(threadIdx.x); i < kTile * kPackets; i += kThreads) {
    const int key = first_key + i / kPackets;
    const bool seen = visible.to_any(key);
    const i64 row =
        seen ? static_cast<i64>(shape.slot<kPage>(sequence, key)) * shape.kv_heads + kv_head : 0;
    const Packet16 packet = Packet16::load_if(seen, cache, row * kPackets + i % kPackets);
    packet.store(shared.rows[i / kPackets], i % kPackets);
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q                 [batch, q_len, heads, d] of dtype
//   lengths           [batch] of i32: keys of each sequence, its new ones included
//   table             [batch, pages] of i32: the pages of each sequence; -1 where it has none
//   k, v              [slots, kv_heads, d] of the type of the cache
//   k_scale, v_scale  [scaled, kv_heads] of f32, above 0; not used if the cache has 16 bits
//   out               [batch, q_len, heads, d] of dtype, written
//   lse               [batch, q_len, heads] of f32, written
//   heads             heads of q
//   kv_heads          heads of the cache
//   q_len             new queries of every sequence
//   group             heads of q that share one of the cache, heads/kv_heads
//   kv_len            keys that the cache has room for in a sequence
//   pages             pages of a sequence, 1 without pages
//   window            keys that a query sees at most in addition to the sinks; 0 is all
//   sinks             first keys that stay visible in addition to the window
//   scale             of the scores, in units of log2
extern "C" __global__ void __launch_bounds__(kThreads)
    decode_tile(const Element* __restrict__ q, const int* __restrict__ lengths,
                const int* __restrict__ table, const CacheElement* __restrict__ k,
                const CacheElement* __restrict__ v, const float* __restrict__ k_scale,
                const float* __restrict__ v_scale, Element* __restrict__ out,
                float* __restrict__ lse, int heads, int kv_heads, int q_len, int group, int kv_len,
                int pages, int window, int sinks, float scale) {
  extern __shared__ __align__(16) u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const int head = static_cast<int>(blockIdx.x), t = static_cast<int>(blockIdx.y);
  const int sequence = static_cast<int>(blockIdx.z), thread = static_cast<int>(threadIdx.x);
  const Shape shape{static_cast<int>(gridDim.z),
                    heads,
                    kv_heads,
                    q_len,
                    group,
                    kv_len,
                    pages,
                    window,
                    sinks,
                    lengths,
                    table};
  const Visible visible(shape, shape.length(sequence));
  const Tiles<kTile> tiles(visible);
  const int position = visible.length - q_len + t;
  const int kv_head = head / group;
  const i64 row = (static_cast<i64>(sequence) * q_len + t) * heads + head;

  for (int i = thread; i < kD; i += kThreads) shared.query[i] = to_float(q[row * kD + i]);
  float maximum = -kInfinity, sum = 0, totals[kColumns] = {};
#pragma unroll 1
  for (int number = 0; number < tiles.count; ++number) {
    const int first_key = tiles.key(number);
    load_tile(shared, k, shape, visible, sequence, kv_head, first_key);
    __syncthreads();
    const int own = thread / kLanes;
    float score = 0;
    for (int i = thread % kLanes; i < kD; i += kLanes)
      score += shared.query[i] * to_float(shared.rows[own][i]);
    score = warp_reduce<kLanes>(score, Sum{}) * scale;
    float value_scale = 1;
    if (!visible.to(position, first_key + own)) {
      score = -kInfinity;
    } else if constexpr (kScaled) {
      const i64 at =
          kv_head +
          (kScalesOf == ScalesOf::head
               ? 0
               : static_cast<i64>(shape.slot<kPage>(sequence, first_key + own)) * kv_heads);
      score *= k_scale[at];
      value_scale = v_scale[at];
    }
    const float larger = fmaxf(maximum, block_max<kThreads>(score, shared.scratch));
    const float factor = maximum == larger ? 1.0f : exp2_approx(maximum - larger);
    maximum = larger;
    // A row that has seen nothing yet: 2^(-inf - 0) is 0, and not NaN.
    const float weight = exp2_approx(score - (maximum == -kInfinity ? 0.0f : maximum));
    if (thread % kLanes == 0) shared.weights[own] = weight * value_scale;
    sum = sum * factor + block_sum<kThreads>(thread % kLanes == 0 ? weight : 0.0f, shared.scratch);
    __syncthreads();
    load_tile(shared, v, shape, visible, sequence, kv_head, first_key);
    __syncthreads();
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const int column = thread + c * kThreads;
      totals[c] *= factor;
      if (column < kD)
        for (int key = 0; key < kTile; ++key)
          totals[c] += shared.weights[key] * to_float(shared.rows[key][column]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    const int column = thread + c * kThreads;
    if (column < kD)
      out[row * kD + column] = from_float<Element>(sum == 0 ? 0.0f : totals[c] / sum);
  }
  if (thread == 0) lse[row] = sum == 0 ? -kInfinity : (maximum + log2f(sum)) / kLog2E;
}
