// Router of a mixture of experts for few tokens, in one launch: the exchange of decode_poll.cu, and
// operands through shared memory.
//
// With operands in registers the warps of a block divide the hidden dimension, and their sums must
// be added up in shared memory: of 64 tokens and 48 experts 98 KB from 8 warps, written and read
// again behind the last product, most of a microsecond. Here warps divide tokens and experts, and
// every sum ends in one thread, which writes it to its slot:
//   1. All of a block's part of the operands comes by cp.async, in chunks of 64 columns, every
//      chunk asked for before the first is waited for: 43 KB of the gate for 48 experts and 448
//      columns, and the same of the hidden states for 48 tokens.
//   2. As chunks arrive they are multiplied: tokens are the rows of mma's first operand, experts
//      the columns of its second. Behind the last chunk come four steps of mma and the store.
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
#include "defaults.cuh"
#include "ldmatrix.cuh"
#include "mbarrier.cuh"
#include "mma.cuh"
#include "problem.cuh"

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
constexpr int kPitch = kChunks * 64 + 8;  // elements from one row to the next

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
  float sums[kTiles][4];

  // This chunk and those behind it.
  template <int kChunk>
  __device__ __forceinline__ void multiply() {
    if constexpr (kChunk < kChunks) {
      wait_for_copies<kChunks - 1 - kChunk>();
      named_barrier_sync<kThreads>(kSummed);  // other threads' copies have arrived, too
      const int lane = lane_id(), column = kChunk * 64;
      u32 tokens[4][4];  // 16 columns each
#pragma unroll
      for (int k = 0; k < 4; ++k)
        ldmatrix_x4(tokens[k], address(token_row + lane % 16, column + k * 16 + lane / 16 * 8));
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        if (tile >= tiles) break;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          u32 experts[4];  // 8 columns each
          ldmatrix_x4(experts,
                      address(expert_row + tile * 8 + lane % 8, column + half * 32 + lane / 8 * 8));
          const u32 first[2] = {experts[0], experts[1]}, second[2] = {experts[2], experts[3]};
          mma<Operand::bf16>(sums[tile], tokens[2 * half], first);
          mma<Operand::bf16>(sums[tile], tokens[2 * half + 1], second);
        }
      }
      multiply<kChunk + 1>();
    }
  }

  __device__ __forceinline__ u32 address(int row, int column) const {
    return static_cast<u32>(__cvta_generic_to_shared(&shared.rows[row][column]));
  }
};

// Starts all copies of the block, a group for each chunk. 8 threads copy the 128 bytes of a row in
// a chunk.
__device__ __forceinline__ void load(Shared& shared, const bf16* __restrict__ hidden,
                                     const bf16* __restrict__ gate, int split, int tile,
                                     int first_expert, int tokens) {
  const int first_column = split * kChunks * 64 + static_cast<int>(threadIdx.x % 8u) * 8;
#pragma unroll
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int column = first_column + chunk * 64;
#pragma unroll
    for (int first = 0; first < kRows; first += kThreads / 8) {
      const int row = first + static_cast<int>(threadIdx.x / 8u);
      const bool of_token = row < kTileTokens;
      const int at = of_token ? tile + row : first_expert + row - kTileTokens;
      const bool exists = at < (of_token ? tokens : kExperts) && column < kHidden;
      const bf16* const from = (of_token ? hidden : gate) + static_cast<i64>(at) * kHidden + column;
      if (row < kRows)
        copy_async(
            shared_address(&shared.rows[row][chunk * 64 + static_cast<int>(threadIdx.x % 8u) * 8]),
            exists ? from : gate, exists);
    }
    commit_copies();
  }
}

// Fills the slots of a warp's sums: those of 16 tokens, and of tiles of 8 experts from `first_tile`
// on.
__device__ __forceinline__ void store(float* slots, const Product& product, int split, int tile,
                                      int token_warp, int first_expert, int first_tile,
                                      int tokens) {
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int token = tile + token_warp * 16 + half * 8 + lane_id() / 4;
      const int expert = first_expert + (first_tile + t) * 8 + lane_id() % 4 * 2;
      if (t < product.tiles && token < tokens && expert < kExperts)
        fill_slots(slots + (static_cast<i64>(split) * tokens + token) * kExperts + expert,
                   product.sums[t][2 * half], product.sums[t][2 * half + 1]);
    }
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden   [tokens, hidden_size] of dtype
//   gate     [experts, hidden_size] of dtype, as linear layers hold it
//   bias     [experts] of f32
//   ids      [tokens, k] of i32, written
//   weights  [tokens, k] of f32, written
//   slots    [SPLITS, tokens, experts] of f32, scratch, zeros before the first launch: sums of the
//            parts of the hidden dimension; a launch leaves them at 0
//   tokens   rows of hidden states
//   scale    factor of the weights
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
  load(shared, hidden, gate, split, tile, first_expert, tokens);

  const int token_warp = warp % kTokenWarps, expert_warp = warp / kTokenWarps;
  const int first_tile = expert_warp * kTiles;
  Product product{shared,
                  token_warp * 16,
                  kTileTokens + first_tile * 8,
                  min(kTiles, kExpertTiles - first_tile),
                  {}};
  product.multiply<0>();
  store(slots, product, split, tile, token_warp, first_expert, first_tile, tokens);
  if (merger.number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
}
