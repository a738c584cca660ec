// y[m, n] = sum of x[m, k] * w[n, k] over k, for up to 8 tokens: tiles of w and of x come as boxes
// of tensor maps into a ring of stages in shared memory, where tensor cores multiply them.
//
// tma.cu with tiles in place of rows. A copy of a row is one request, and an SM gets through one
// in 50 clocks: rows of 2 KiB are as many bytes as memory brings, and 16 such rows are all that a
// ring has room for, so that x is read again for every 16 rows. A box of 64 rows and 128 bytes is
// one request too; so a turn has 64 rows, which for 8192 rows on 132 SMs is all that there are,
// and x is read once.
//
// Algorithm: the grid and its turns are those of tma.cu (turns.cuh). A stage is CHUNK bytes of
// each row of the turn, and of 8 tokens, as boxes 128 bytes wide, swizzled, so that ldmatrix finds
// 32 banks. Boxes reach past a block's last row, into rows that L2 has just brought for another
// block, and past the end of the arrays, where they are zeros: nothing is ever behind a condition.
// The consumer warps are shared among the tiles of 16 rows, and those of a tile share the chunk's
// pieces of 64 bytes. Blocks begin at different chunks and go round, as in tma.cu.
//
// Tunables:
//   CONSUMER_WARPS  warps that multiply
//   TILES           tiles of 16 rows of a turn: more read x less often
//   CHUNK           bytes of a row in a stage
//   STAGES          16 * TILES * CHUNK * (STAGES - 1) bytes of w are in flight
//   BLOCKS_PER_SM   two blocks hide each other's ends
//   L2_HINT         evict_first: w is the first that L2 evicts (weights.cuh)
//
// Requires: compute capability 9.0; rows of a multiple of 16 bytes; weights of 16 bits.
//
// Shares are fixed, because a counter that blocks claim rows from was slower (NOTES.md).
//
// Next idea: a cluster that shares x by multicast.
#include "defaults.cuh"
#include "ldmatrix.cuh"
#include "mma.cuh"
#include "pipeline.cuh"
#include "tma.cuh"
#include "turns.cuh"
#include "warp.cuh"
#include "weights.cuh"

using T = DTYPE;
constexpr int kConsumers = CONSUMER_WARPS;
constexpr int kThreads = 32 * (kConsumers + 1);
constexpr int kTiles = TILES;
constexpr int kChunk = CHUNK;
constexpr int kStages = STAGES;
constexpr int kBlocksPerSm = BLOCKS_PER_SM;
constexpr L2Hint kL2Hint = L2Hint::L2_HINT;
constexpr int kRows = 16 * kTiles;  // of a turn
constexpr int kTokens = 8;          // columns of the right operand
constexpr int kSpan = 128;          // bytes of a row in a box
constexpr int kSpanElements = kSpan / static_cast<int>(sizeof(T));
constexpr int kBoxes = kChunk / kSpan;
constexpr int kBoxBytes = kRows * kSpan, kTokenBoxBytes = kTokens * kSpan;
constexpr int kStageBytes = kBoxes * (kBoxBytes + kTokenBoxBytes);
constexpr int kPiece = 64;  // bytes of each row that a warp multiplies at once
constexpr int kShares = kConsumers / kTiles;
constexpr int kWarpPieces = kChunk / kPiece / kShares;
static_assert(kShares * kTiles == kConsumers, "tiles have equally many warps");
static_assert(kWarpPieces * kPiece * kShares == kChunk, "warps share whole pieces of a chunk");

struct Shared {
  Ring<kStages> ring;
  TurnSums<kConsumers, kShares, kRows> sums;
};
// As kernel.yaml counts it.
static_assert(sizeof(Shared) == kStages * 16 + 64 * kShares * (kRows + 4));

__device__ __forceinline__ void load_weights_box(void* to, const TensorMap& map, int element,
                                                 int row, Mbarrier& full) {
  if constexpr (kL2Hint == L2Hint::evict_first)
    tma_load_4d(to, map, element, row, 0, 0, full, evict_first_policy());
  else
    tma_load_4d(to, map, element, row, 0, 0, full);
}

// A consumer's sums of its tile, as TurnSums takes them.
struct TileSums {
  float values[4] = {};

  // The warp's pieces of a chunk: lane l names row l % 16 of the tile and token l % 8.
  __device__ __forceinline__ void add(u32 stage, int tile, int share) {
    const u32 tokens = stage + kBoxes * kBoxBytes;
    const u32 row = 16 * tile + lane_id() % 16, row_byte = lane_id() / 16 * 16;
    const u32 token = lane_id() % 8, token_byte = lane_id() / 8 * 16;
#pragma unroll
    for (int i = 0; i < kWarpPieces; ++i) {
      const int piece = share + i * kShares;
      const u32 box = piece / (kSpan / kPiece), byte = piece % (kSpan / kPiece) * kPiece;
      u32 first[4], second[4], right[4];
      const u32 weights = stage + box * kBoxBytes;
      ldmatrix_x4(first, weights + swizzled_offset<kSpan, kSpan>(row, byte + row_byte));
      ldmatrix_x4(second, weights + swizzled_offset<kSpan, kSpan>(row, byte + 32 + row_byte));
      ldmatrix_x4(right, tokens + box * kTokenBoxBytes +
                             swizzled_offset<kSpan, kSpan>(token, byte + token_byte));
      const u32 right_first[2] = {right[0], right[1]}, right_second[2] = {right[2], right[3]};
      mma<kOperandOf<T>>(values, first, right_first);
      mma<kOperandOf<T>>(values, second, right_second);
    }
  }
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   w_map      tensor map of w as [1, 1, n, k], boxes of [1, 1, 16*TILES, 64], swizzle 128
//   x_map      tensor map of x as [1, 1, m, k], boxes of [1, 1, 8, 64], swizzle 128
//   scale      [n] of f32, of the rows of w in e4m3; not read otherwise
//   bias       [n] of dtype; not read without bias
//   y          [m, n] of dtype, written
//   m          tokens, rows of x
//   n          outputs, rows of w
//   k          length of a row of x and of w
//   with_bias  1 adds a bias
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    gemv_tiles(const __grid_constant__ TensorMap w_map, const __grid_constant__ TensorMap x_map,
               const float* __restrict__ scale, const T* __restrict__ bias, T* __restrict__ y,
               int m, int n, int k, int with_bias) {
  extern __shared__ __align__(1024) unsigned char stages[];
  Shared& shared = *reinterpret_cast<Shared*>(stages + kStages * kStageBytes);
  if (threadIdx.x == 0) {
    shared.ring.init(kConsumers);
    mbarrier_publish();
  }
  __syncthreads();

  const Turns<kRows> turns(n);
  const int chunks = (k * static_cast<int>(sizeof(T)) + kChunk - 1) / kChunk;
  const int first_chunk = static_cast<int>(blockIdx.x) % chunks;
  const auto after = [chunks](int chunk) { return chunk + 1 == chunks ? 0 : chunk + 1; };
  Place<kStages> place;

  if (uniform_warp_id() == kConsumers) {
    if (lane_id() != 0) return;
    for (int turn = 0; turn < turns.count() && turns.rows(turn) > 0; ++turn) {
      for (int i = 0, chunk = first_chunk; i < chunks; ++i, chunk = after(chunk)) {
        unsigned char* const stage = stages + place.stage * kStageBytes;
        Mbarrier& full = shared.ring.full[place.stage];
        shared.ring.acquire(place);
        mbarrier_expect(full, kStageBytes);
#pragma unroll
        for (int box = 0; box < kBoxes; ++box) {
          const int element = (chunk * kBoxes + box) * kSpanElements;
          load_weights_box(stage + box * kBoxBytes, w_map, element, turns.begin(turn), full);
          tma_load_4d(stage + kBoxes * kBoxBytes + box * kTokenBoxBytes, x_map, element, 0, 0, 0,
                      full);
        }
        ++place;
      }
    }
    return;
  }

  const Result<T, T> result{scale, bias, y, n, with_bias != 0};
  const int tile = warp_id() % kTiles, share = warp_id() / kTiles;
  for (int turn = 0; turn < turns.count(); ++turn) {
    const int there = turns.rows(turn);
    if (there == 0) break;
    TileSums sums;
    for (int i = 0; i < chunks; ++i) {
      shared.ring.wait(place);
      sums.add(shared_address(stages + place.stage * kStageBytes), tile, share);
      shared.ring.release_reads(place);
      ++place;
    }
    shared.sums.finish(sums.values, tile, share, result, turn, turns.begin(turn), there, m);
  }
}
