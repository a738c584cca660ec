// Router of a mixture of experts for few tokens, in one launch: the exchange of decode_poll.cu, and
// operands through shared memory.
//
// With operands in registers the warps of a block divide the hidden dimension, and their sums must
// be added up in shared memory: of 64 tokens and 48 experts 98 KB from 8 warps, written and read
// again behind the last product, most of a microsecond. Here warps divide tokens and experts, and
// every sum ends in one thread, which writes it to its slot:
//   1. All of a block's part of the operands comes by cp.async, in chunks of 64 columns, every
//      chunk asked for before the first is waited for: 43 KB of the gate for 48 experts and 448
//      columns, and as much of the hidden states for as many tokens.
//      A loop, not copies one after the other: a cold launch fetches its code from DRAM, eight
//      instructions in some 60 ns, and the last copy should be asked for soon.
//   2. As a seventh of the chunks arrives they are multiplied: tokens are the rows of mma's first
//      operand, experts the columns of its second. Behind the last come few steps of mma and the
//      store.
// Rows in shared memory are 16 bytes longer than their data, so that the eight rows of an ldmatrix
// lie in different banks.
//
// Tunables: as in decode_poll.cu, but
//   TILE_TOKENS   a sixteenth of it is a share of warps
//   WARPS         divide the sixteens of tokens first, and then the eights of experts
//
// Requires: compute capability 8.0; rows of whole chunks of 64 elements; experts in fours.
//
// Next idea: bulk copies with a barrier for each chunk, which leave the issue slots of 200 cp.async
// a block to the products.
#include "cp_async.cuh"
#include "decode_exchange.cuh"
#include "ldmatrix.cuh"
#include "mbarrier.cuh"
#include "mma.cuh"
#include "problem.cuh"

#ifndef TILE_EXPERTS
#define TILE_EXPERTS 48
#endif
#ifndef TILE_TOKENS
#define TILE_TOKENS 32
#endif
#ifndef SPLITS
#define SPLITS 8
#endif
#ifndef WARPS
#define WARPS 8
#endif
#ifndef MERGE_TOKENS
#define MERGE_TOKENS 32
#endif
#ifndef TOUCH
#define TOUCH 16
#endif

constexpr int kTileExperts = TILE_EXPERTS, kTileTokens = TILE_TOKENS, kSplits = SPLITS;
constexpr int kWarps = WARPS, kMergeTokens = MERGE_TOKENS;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Choice = Exchange<Router, Select, kSplits, kWarps, kMergeTokens, TOUCH>;

constexpr int kThreads = kWarps * kWarpSize;  // of the product
constexpr int kTokenWarps = kTileTokens / 16, kExpertWarps = kWarps / kTokenWarps;
constexpr int kExpertTiles = kTileExperts / 8;
constexpr int kTiles = (kExpertTiles + kExpertWarps - 1) / kExpertWarps;  // of a warp, at most
static_assert(kTokenWarps * 16 == kTileTokens && kExpertWarps * kTokenWarps == kWarps);
static_assert(kExpertTiles * 8 == kTileExperts && kHidden % 64 == 0);

constexpr int kChunks = (kHidden / 64 + kSplits - 1) / kSplits;  // of 64 columns, of a block
constexpr int kRows = kTileTokens + kTileExperts;
constexpr int kPitch = kChunks * 64 + 8;            // elements from one row to the next
constexpr int kPhases = kChunks < 7 ? kChunks : 7;  // in which chunks are waited for
constexpr int kChains = kTiles > 2 ? 1 : 2;  // of products that wait for each other, of a tile

struct alignas(16) Shared {
  bf16 rows[kRows][kPitch];  // tokens, then experts
  Choice::Logits logits;
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

struct Product {
  Shared& shared;
  int token_row, expert_row;  // first of the warp, in shared memory
  int tiles;                  // that the warp has
  float sums[kTiles][kChains][4];

  // Where a phase begins, waits for its chunks.
  template <int kPhase = 0>
  static __device__ __forceinline__ void wait(int chunk) {
    if constexpr (kPhase < kPhases) {
      constexpr int kFirst = kPhase * kChunks / kPhases, kEnd = (kPhase + 1) * kChunks / kPhases;
      if (chunk == kFirst) {
        wait_for_copies<kChunks - kEnd>();
        named_barrier_sync<kThreads>(kSummed);  // other threads' copies have arrived, too
      } else {
        wait<kPhase + 1>(chunk);
      }
    }
  }

  __device__ __forceinline__ void multiply() {
    const int lane = lane_id();
    const u32 token_rows = address(token_row + lane % 16, lane / 16 * 8);
    const u32 expert_rows = address(expert_row + lane % 8, lane / 8 * 8);
#pragma unroll 1
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      wait(chunk);
      const u32 column = static_cast<u32>(chunk) * 128u;  // in bytes, as below
      u32 tokens[4][4];                                   // 16 columns each
#pragma unroll
      for (int k = 0; k < 4; ++k)
        ldmatrix_x4(tokens[k], token_rows + column + static_cast<u32>(k) * 32u);
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        if (kExpertTiles % kExpertWarps != 0 && tile >= tiles) break;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          u32 experts[4];  // 8 columns each
          ldmatrix_x4(experts, expert_rows + column + static_cast<u32>(tile * 8 * kPitch * 2) +
                                   static_cast<u32>(half) * 64u);
          const u32 first[2] = {experts[0], experts[1]}, second[2] = {experts[2], experts[3]};
          mma<Operand::bf16>(sums[tile][0], tokens[2 * half], first);
          mma<Operand::bf16>(sums[tile][kChains - 1], tokens[2 * half + 1], second);
        }
      }
    }
  }

  __device__ __forceinline__ float sum(int tile, int i) const {
    return kChains == 1 ? sums[tile][0][i] : sums[tile][0][i] + sums[tile][kChains - 1][i];
  }

  __device__ __forceinline__ u32 address(int row, int column) const {
    return static_cast<u32>(__cvta_generic_to_shared(&shared.rows[row][column]));
  }
};

extern "C" __global__ void __launch_bounds__(Choice::kAllThreads, 1)
    moe_router_decode_stage(const bf16* __restrict__ hidden, const bf16* __restrict__ gate,
                            const float* __restrict__ bias, int* __restrict__ ids,
                            float* __restrict__ weights, float* slots, int tokens, float scale) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ Choice::Scratch scratch;
  const int warp = uniform_warp_id();
  const int first_expert = static_cast<int>(blockIdx.x) * kTileExperts;
  const int split = static_cast<int>(blockIdx.y);
  const int tile = static_cast<int>(blockIdx.z) * kTileTokens;
  const int tile_tokens = min(tokens - tile, kTileTokens);
  const Merger<kMergeTokens> merger(tile_tokens);

  if (warp >= kWarps) {
    if (merger.number >= 0)
      Choice{bias, ids, weights, slots, tokens, scale}.merge(shared.logits, scratch,
                                                             tile + merger.first, merger.count);
    return;
  }
  // 8 threads for the 128 bytes of a row in a chunk; the gate first, which is in DRAM.
  const int piece = static_cast<int>(threadIdx.x % 8u) * 8;
  const int first_row = static_cast<int>(threadIdx.x / 8u);
  const int first_column = split * kChunks * 64 + piece;
  const bf16* const experts_from =
      gate + static_cast<i64>(first_expert + first_row) * kHidden + first_column;
  const bf16* const tokens_from =
      hidden + static_cast<i64>(tile + first_row) * kHidden + first_column;
  const u32 to = shared_address(&shared.rows[first_row][piece]);
#pragma unroll 1
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const bool inside = kSplits * kChunks * 64 == kHidden || first_column + chunk * 64 < kHidden;
    const u32 to_chunk = to + static_cast<u32>(chunk) * 128u;
#pragma unroll
    for (int row = 0; row < kTileExperts; row += kThreads / 8) {
      const bool exists =
          inside && (kExperts % kTileExperts == 0 || first_expert + first_row + row < kExperts);
      if (kTileExperts % (kThreads / 8) == 0 || first_row + row < kTileExperts)
        copy_async(to_chunk + static_cast<u32>((kTileTokens + row) * kPitch * 2),
                   exists ? experts_from + row * kHidden + chunk * 64 : gate, exists);
    }
#pragma unroll
    for (int row = 0; row < kTileTokens; row += kThreads / 8) {
      const bool exists = inside && tile + first_row + row < tokens;
      if (kTileTokens % (kThreads / 8) == 0 || first_row + row < kTileTokens)
        copy_async(to_chunk + static_cast<u32>(row * kPitch * 2),
                   exists ? tokens_from + row * kHidden + chunk * 64 : gate, exists);
    }
    commit_copies();
  }

  const int token_warp = warp % kTokenWarps, expert_warp = warp / kTokenWarps;
  const int first_tile = expert_warp * kTiles;
  Product product{shared,
                  token_warp * 16,
                  kTileTokens + first_tile * 8,
                  min(kTiles, kExpertTiles - first_tile),
                  {}};
  product.multiply();
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int token = tile + token_warp * 16 + half * 8 + lane_id() / 4;
      const int expert = first_expert + (first_tile + t) * 8 + lane_id() % 4 * 2;
      if (t < product.tiles && token < tokens && expert < kExperts)
        fill_slots(slots + (static_cast<i64>(split) * tokens + token) * kExperts + expert,
                   product.sum(t, 2 * half), product.sum(t, 2 * half + 1));
    }
  }
  if (merger.number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
}
