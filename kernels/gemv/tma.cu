// y[m, n] = sum of x[m, k] * w[n, k] over k, for up to 8 tokens: rows of w come by the copy engine
// into a ring of stages in shared memory, and tensor cores multiply them there.
//
// Data in flight takes no registers here, and no warp has to be awake for it: one warp requests the
// whole ring, up to 200 KiB on an SM, before anything else has happened, and for the next stage
// whenever one is free. The other variants have their loads in flight only while their warps wait
// for them.
//
// Algorithm: a grid of BLOCKS_PER_SM blocks an SM, whose turns have TILES * 16 rows and whose
// shares are equal (turns.cuh). A turn is walked in chunks of CHUNK bytes of each row. A stage is
// one chunk and what belongs to it of x; each of its rows is one copy, by a lane of the producer.
// So x is copied once a turn. The consumer warps are shared among the tiles, and those of a tile
// share the chunk's pieces of 64 bytes as the warps of mma.cu do, with the same places of elements
// in operands; after the last chunk of a turn their sums meet in shared memory, in the order of
// warps.
//
// Blocks begin their turns at different chunks and go round. All of them read the same x, and if
// all began with its first line, the slice of L2 that holds it would serve one SM after the other.
//
// Rows of a stage are CHUNK + 64 bytes apart, so that eight lanes, which read 64 bytes of each of
// two rows, find 32 banks. The same holds for tokens; with e4m3, where lanes read 32 bytes of x in
// two accesses, 16 bytes suit.
//
// Tunables:
//   CONSUMER_WARPS  warps that multiply: 4 suffice for 16 bits, conversions of e4m3 want more
//   TILES           tiles of a turn: more read x less often, and w in a wider window
//   CHUNK           bytes of a row in a stage. Longer copies are fewer requests; shorter ones waste
//                   less of the ring on stages that are being read
//   STAGES          16 * TILES * CHUNK * (STAGES - 1) bytes of w are in flight
//   BLOCKS_PER_SM   two blocks hide each other's ends of turns
//   L2_HINT         evict_first: w is the first that L2 evicts (weights.cuh)
//
// Requires: compute capability 9.0; rows of a multiple of 16 bytes.
//
// x comes again in every turn, with w through the ring, because tokens in registers were slower
// (NOTES.md).
//
// Next idea: fewer requests that bring more (tma_tiles.cu).
#include "bulk_copy.cuh"
#include "defaults.cuh"
#include "mma.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "turns.cuh"
#include "warp.cuh"
#include "weights.cuh"

using T = DTYPE;
using W = WEIGHT;
constexpr int kConsumers = CONSUMER_WARPS;
constexpr int kThreads = 32 * (kConsumers + 1);
constexpr int kTiles = TILES;
constexpr int kChunk = CHUNK;
constexpr int kStages = STAGES;
constexpr int kBlocksPerSm = BLOCKS_PER_SM;
constexpr L2Hint kL2Hint = L2Hint::L2_HINT;
constexpr int kRows = 16 * kTiles;  // of a turn
constexpr int kPitch = kChunk + 64;
// A chunk has the same number of elements of x.
constexpr int kTokenChunk = kChunk / static_cast<int>(sizeof(W)) * static_cast<int>(sizeof(T));
constexpr int kTokenPitch = kTokenChunk + (kIsFp8<W> ? 16 : 64);
constexpr int kPieceVectors = 4;
constexpr int kChunkVectors = kChunk / 16;
constexpr int kShares = kConsumers / kTiles;  // warps of a tile
constexpr int kWarpPieces = kChunkVectors / kPieceVectors / kShares;
static_assert(kShares * kTiles == kConsumers, "tiles have equally many warps");
static_assert(kWarpPieces * kPieceVectors * kShares == kChunkVectors,
              "warps share whole pieces of a chunk");

struct Shared {
  Ring<kStages> ring;
  TurnSums<kConsumers, kShares, kRows> sums;
};
// As kernel.yaml counts it. The stages follow: each kRows rows of kPitch bytes, and m tokens of
// kTokenPitch.
static_assert(sizeof(Shared) == kStages * 16 + 64 * kShares * (kRows + 4));

__device__ __forceinline__ uint4 shared_vector(const unsigned char* at) {
  return *reinterpret_cast<const uint4*>(at);
}

// A consumer's sums of its tile.
struct TileSums {
  float values[4] = {};

  // The warp's pieces of a chunk. `upper` and `lower` are rows g and g + 8 of the tile in the
  // stage, `token` the stage's row g of x. Vectors from `end` on do not exist; `Whole` says that
  // all do.
  template <bool Whole>
  __device__ __forceinline__ void add(const unsigned char* upper, const unsigned char* lower,
                                      const unsigned char* token, bool token_exists, int share,
                                      int end) {
    constexpr int kWords = Vector<W>::kElements / 2;
    constexpr int kTokenBytes = Vector<W>::kElements * static_cast<int>(sizeof(T));
#pragma unroll
    for (int i = 0; i < kWarpPieces; ++i) {
      const int at = (share + i * kShares) * kPieceVectors + lane_id() % 4;
      const bool exists = Whole || at < end;
      // Past the row's end the stage holds an older chunk, or nothing: zeros in its place.
      Vector<W> above{}, below{};
      if (exists) {
        above.storage = shared_vector(upper + at * 16);
        below.storage = shared_vector(lower + at * 16);
      }
      Tokens<T, W> tokens{};
      if (exists && token_exists) {
#pragma unroll
        for (int j = 0; j < Tokens<T, W>::kPackets; ++j)
          tokens.packets[j].storage = shared_vector(token + at * kTokenBytes + 16 * j);
      }
      u32 first[kWords], second[kWords], right[kWords];
      weight_words<T>(above, first);
      weight_words<T>(below, second);
      tokens.words(right);
#pragma unroll
      for (int j = 0; j < kWords; j += 2) {
        const u32 left[4] = {first[j], second[j], first[j + 1], second[j + 1]};
        const u32 columns[2] = {right[j], right[j + 1]};
        mma<kOperandOf<T>>(values, left, columns);
      }
    }
  }
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [m, k] of dtype
//   w          [n, k] of the type of the weights
//   scale      [n] of f32, of the rows of w in e4m3; not read otherwise
//   bias       [n] of dtype; not read without bias
//   y          [m, n] of dtype, written
//   m          tokens, rows of x
//   n          outputs, rows of w
//   k          length of a row of x and of w
//   with_bias  1 adds a bias
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    gemv(const T* __restrict__ x, const W* __restrict__ w, const float* __restrict__ scale,
         const T* __restrict__ bias, T* __restrict__ y, int m, int n, int k, int with_bias) {
  extern __shared__ __align__(128) unsigned char bytes[];
  Shared& shared = *reinterpret_cast<Shared*>(bytes);
  unsigned char* const stages = bytes + sizeof(Shared);
  const int stage_bytes = kRows * kPitch + m * kTokenPitch;
  if (threadIdx.x == 0) {
    shared.ring.init(kConsumers);
    mbarrier_publish();
  }
  __syncthreads();

  const Turns<kRows> turns(n);
  const int row_bytes = k * static_cast<int>(sizeof(W));
  const int chunks = (row_bytes + kChunk - 1) / kChunk;
  const int first_chunk = static_cast<int>(blockIdx.x) % chunks;
  const auto after = [chunks](int chunk) { return chunk + 1 == chunks ? 0 : chunk + 1; };
  Place<kStages> place;

  if (uniform_warp_id() == kConsumers) {
    const unsigned char* const token =
        reinterpret_cast<const unsigned char*>(x + static_cast<i64>(lane_id()) * k);
    for (int turn = 0; turn < turns.count(); ++turn) {
      const int there = turns.rows(turn);
      if (there == 0) break;
      const unsigned char* const weights = reinterpret_cast<const unsigned char*>(w) +
                                           static_cast<i64>(turns.begin(turn)) * row_bytes;
      for (int i = 0, chunk = first_chunk; i < chunks; ++i, chunk = after(chunk)) {
        const int at = chunk * kChunk;
        const u32 count = static_cast<u32>(min(kChunk, row_bytes - at));
        const u32 token_count = count / sizeof(W) * sizeof(T);
        unsigned char* const stage = stages + place.stage * stage_bytes;
        Mbarrier& full = shared.ring.full[place.stage];
        shared.ring.acquire(place);
        // Expected before any of the copies is asked for, so that the phase cannot end between two
        // of them.
        if (lane_id() == 0)
          mbarrier_expect(full,
                          static_cast<u32>(there) * count + static_cast<u32>(m) * token_count);
        __syncwarp();
        for (int mine = lane_id(); mine < there; mine += 32)
          copy_weights<kL2Hint>(stage + mine * kPitch,
                                weights + static_cast<i64>(mine) * row_bytes + at, count, full);
        if (lane_id() < m)
          copy_bulk(stage + kRows * kPitch + lane_id() * kTokenPitch,
                    token + at / static_cast<int>(sizeof(W)) * static_cast<int>(sizeof(T)),
                    token_count, full);
        ++place;
      }
    }
    return;
  }

  const Result<T, W> result{scale, bias, y, n, with_bias != 0};
  const int tile = warp_id() % kTiles, share = warp_id() / kTiles;
  const int g = lane_id() / 4, q = lane_id() % 4;
  const bool token_exists = g < m;
  const int my_token = kRows * kPitch + (token_exists ? g : 0) * kTokenPitch;
  for (int turn = 0; turn < turns.count(); ++turn) {
    // A row that is not there is read as the last one that is: its sums are not stored.
    const int there = turns.rows(turn);
    if (there == 0) break;
    const int upper = min(16 * tile + g, there - 1) * kPitch;
    const int lower = min(16 * tile + g + 8, there - 1) * kPitch;
    TileSums sums;
    for (int i = 0, chunk = first_chunk; i < chunks; ++i, chunk = after(chunk)) {
      const int end = min(kChunk, row_bytes - chunk * kChunk) / 16;
      shared.ring.wait(place);
      const unsigned char* const stage = stages + place.stage * stage_bytes;
      if (end == kChunkVectors)
        sums.add<true>(stage + upper, stage + lower, stage + my_token, token_exists, share, end);
      else
        sums.add<false>(stage + upper, stage + lower, stage + my_token, token_exists, share, end);
      shared.ring.release_reads(place);
      ++place;
    }
    shared.sums.finish(sums.values, tile, share, result, turn, turns.begin(turn), there, m);
  }
}
