// Softmax + top-k with one warp per row: no shared memory, no barrier, k <= 32.
//
// Algorithm:
//   1. The warp reads its row in tiles of UNROLL vectors of 16 bytes per lane, with the online
//      softmax per lane: d = d * e^(m - m') + sum of e^(x - m') over a tile, m' being the new
//      maximum. One rescale per tile.
//   2. The warp's best elements form one sorted list across the lanes: lane i holds the i-th best
//      key. An element above the k-th is inserted by all lanes together: a vote says how many keys
//      are better, the lanes after that shift by one.
//   3. Elements of a tile are compared with the k-th best value once as a float per lane and
//      vector; only what passes is compared as a key. In a random row few do once the list is
//      filled.
//
// Exact for every input: the list holds the best 32 of all elements seen, whatever their order.
// Ascending rows are slow (every element is inserted), never wrong.
//
// Tunables:
//   WARPS_PER_BLOCK  rows per block. Warps do not cooperate; small blocks balance better, large
//                    ones need fewer blocks.
//   UNROLL           vectors in flight per lane: a warp alone must cover its memory latency with
//                    them.
//   PREFETCH         1: the next tile is loaded before this one is worked on, which keeps the
//                    memory busy during the work, for 4 registers a vector.
//
// Requires k <= 32. Fills the machine from about 132 * 32 rows on; few long rows belong to `split`.
//
// Next idea: two rows per warp for short rows; the threshold of a sample before the first tile, so
// that the list starts full instead of inserting most of the first tile.
#include "defaults.cuh"
#include "softmax_sum.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "unaligned_row.cuh"
#include "warp.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kWarpsPerBlock = WARPS_PER_BLOCK;
constexpr int kUnroll = UNROLL;
constexpr bool kPrefetch = PREFETCH != 0;
constexpr int kElements = RowPacket<Logit>::kElements;
constexpr int kTileVectors = kWarpSize * kUnroll;
static_assert(kTopK <= kWarpSize, "one key per lane");

// Inserts the keys of the lanes one after the other into the list that the warp holds (lane i: the
// i-th best so far). Keys that are 0, or not better than the k-th best, are skipped; after each
// insertion the rest is checked again.
__device__ __forceinline__ u64 insert_keys(u64 list, u64 key) {
  u64 worst = __shfl_sync(kFullMask, list, kTopK - 1);
  u32 waiting = __ballot_sync(kFullMask, key > worst);
  while (waiting != 0) {
    const int source = __ffs(static_cast<int>(waiting)) - 1;
    const u64 inserted = __shfl_sync(kFullMask, key, source);
    const int rank = __popc(__ballot_sync(kFullMask, list > inserted));
    const u64 neighbour = __shfl_up_sync(kFullMask, list, 1);
    if (lane_id() >= rank) list = lane_id() == rank ? inserted : neighbour;
    worst = __shfl_sync(kFullMask, list, kTopK - 1);
    waiting &= waiting - 1;
    waiting &= __ballot_sync(kFullMask, key > worst);
  }
  return list;
}

struct Tile {
  RowElements<Logit> vectors[kUnroll];
};

// A lane's vectors of the tile at `first_vector`, all loads issued before any is used.
__device__ __forceinline__ Tile load(const AlignedSpan<Logit>& span, int first_vector) {
  Tile tile;
  const int mine = first_vector + lane_id();
  if (span.inside(first_vector, kTileVectors)) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) tile.vectors[u] = span.load_inside(mine + u * kWarpSize);
  } else {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u)
      tile.vectors[u] = span.load_padded(mine + u * kWarpSize, from_float<Logit>(-kInfinity));
  }
  return tile;
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits   [rows, V] of dtype
//   probs    [rows, K] of f32, written
//   indices  [rows, K] of i32, written
//   rows     rows of logits
//   V        vocabulary size
extern "C" __global__ void __launch_bounds__(kWarpsPerBlock* kWarpSize)
    softmax_topk(const Logit* __restrict__ logits, float* __restrict__ probs,
                 int* __restrict__ indices, int rows, int V) {
  const int row = static_cast<int>(blockIdx.x) * kWarpsPerBlock + warp_id();
  if (row >= rows) return;  // a whole warp, and nothing here waits for other warps
  const AlignedSpan<Logit> span(logits + static_cast<i64>(row) * V, V);

  SoftmaxSum sum;
  u64 list = 0;
  u64 worst = 0;  // the k-th best key, 0 while there are fewer
  Tile tile;
  if constexpr (kPrefetch) tile = load(span, 0);
  for (int first_vector = 0; first_vector < span.packets(); first_vector += kTileVectors) {
    const int mine = first_vector + lane_id();
    Tile next;
    if constexpr (kPrefetch) {
      if (first_vector + kTileVectors < span.packets())
        next = load(span, first_vector + kTileVectors);
    } else {
      tile = load(span, first_vector);
    }

    float x[kUnroll * kElements];
#pragma unroll
    for (int i = 0; i < kUnroll * kElements; ++i)
      x[i] = to_float(tile.vectors[i / kElements][i % kElements]);
    if constexpr (kPrefetch) tile = next;
    const float largest = largest_of(x);
    sum.add(x, largest);

    // Tiles come in index order, so an element that only equals the k-th best loses the tie. Until
    // there are k keys, everything must be looked at: -inf and NaN are elements too.
    const bool full = worst != 0;
    if (!__any_sync(kFullMask, !full || largest > key_value(worst))) continue;
#pragma unroll
    for (int i = 0; i < kUnroll * kElements; ++i) {
      const int at = (mine + i / kElements * kWarpSize) * kElements + i % kElements;
      const bool candidate = at >= span.skip && at < span.end && (!full || x[i] > key_value(worst));
      if (!__any_sync(kFullMask, candidate)) continue;
      list = insert_keys(list, candidate ? make_key(x[i], at - span.skip) : 0);
    }
    worst = __shfl_sync(kFullMask, list, kTopK - 1);
  }

  const SoftmaxSum total = warp_merge(sum);
  if (lane_id() < kTopK) {
    const i64 place = static_cast<i64>(row) * kTopK + lane_id();
    probs[place] = total.probability(key_value(list));
    indices[place] = key_index(list);
  }
}
