// Router of a mixture of experts for up to 64 tokens, in one launch, on Hopper: operands by the copy
// engine, products by wgmma, sums of a cluster's blocks through distributed shared memory.
//
// decode_stage.cu asks for its operands with some hundred copies of every warp, and reads each of
// them several times from shared memory as fragments: 670 readings of 512 bytes for 64 tokens, 48
// experts and 448 columns, 1.5 us of the bandwidth of shared memory. Here
//   1. one thread asks for everything: two boxes for each chunk of 64 columns, of 64 tokens and of
//      TILE_EXPERTS experts, as wgmma wants them;
//   2. a warpgroup multiplies chunk by chunk, as they arrive. It has gone through the same code with
//      a tile of zeros before, since a launch finds its code in DRAM;
//   3. CLUSTER blocks with the same experts and different columns add up: each gets the sums of its
//      share of the tokens from all of them, stored right into its shared memory, and leaves for
//      the blocks that choose one sum instead of CLUSTER.
// The rest is decode_exchange.cuh's.
//
// Tunables:
//   TILE_EXPERTS  experts / TILE_EXPERTS * SPLITS blocks
//   SPLITS        of the hidden dimension, in chunks of 64
//   CLUSTER       blocks that add up before they store; 1: none. A trip between blocks of a cluster
//                 more, and so much less to write to and read from L2
//   MERGE_TOKENS  tokens of a block that chooses
//   TOUCH         parts of the sums that a rehearsal of the choice reads
//
// Requires: sm_90a; experts in fours; hidden_size in chunks of 64.
//
// Next idea: copies by threads, which need not wait for a descriptor.
#include "cluster.cuh"
#include "decode_exchange.cuh"
#include "problem.cuh"
#include "tma.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

#ifndef TILE_EXPERTS
#define TILE_EXPERTS 48
#endif
#ifndef SPLITS
#define SPLITS 16
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
#ifndef MERGE_TOKENS
#define MERGE_TOKENS 1
#endif
#ifndef TOUCH
#define TOUCH 16
#endif

constexpr int kTileExperts = TILE_EXPERTS, kSplits = SPLITS, kCluster = CLUSTER;
constexpr int kMergeTokens = MERGE_TOKENS;
constexpr int kWarps = 4, kThreads = kWarps * kWarpSize;  // of the product
constexpr int kTileTokens = 64, kOwnTokens = kTileTokens / kCluster;
constexpr int kSums = kSplits / kCluster;  // that are left for the choice
constexpr int kChunks = (kHidden / 64 + kSplits - 1) / kSplits;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Choice = Exchange<Router, Select, kSums, kWarps, kMergeTokens, TOUCH>;
static_assert(kSums * kCluster == kSplits && kHidden % 64 == 0);
static_assert(kTileExperts % 16 == 0 && kTileExperts <= 64);

constexpr int kRowBytes = 128;
struct Chunk {
  u8 tokens[kTileTokens * kRowBytes];
  u8 experts[kTileExperts * kRowBytes];
};
static_assert(sizeof(Chunk) % 1024 == 0);

struct alignas(1024) Shared {
  Chunk chunks[kChunks];
  u8 zeros[64 * kRowBytes];
  // From every block of the cluster, sums of the tokens that are this block's.
  float parts[kCluster][kOwnTokens][kTileExperts];
  Choice::Logits logits;
  Router::Scratch scratch[Choice::kWarps];
  Mbarrier full[kChunks], parts_full;
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) <= WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

extern "C" __global__ void __launch_bounds__(Choice::kAllThreads, 1)
    moe_router_decode_wgmma(const __grid_constant__ TensorMap hidden_tile_map,
                            const __grid_constant__ TensorMap gate_tile_map,
                            const float* __restrict__ bias, int* __restrict__ ids,
                            float* __restrict__ weights, float* slots, int tokens, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const int warp = uniform_warp_id(), lane = lane_id();
  const int split = static_cast<int>(blockIdx.x);
  const int first_expert = static_cast<int>(blockIdx.y) * kTileExperts;
  const int tile = static_cast<int>(blockIdx.z) * kTileTokens;
  const int tile_tokens = min(tokens - tile, kTileTokens);
  const Merger<kMergeTokens> merger(tile_tokens);

  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int chunk = 0; chunk < kChunks; ++chunk) mbarrier_init(shared.full[chunk], 1);
    if constexpr (kCluster > 1) {
      mbarrier_init(shared.parts_full, 1);
      mbarrier_expect(shared.parts_full, static_cast<u32>(sizeof(shared.parts)));
    }
    mbarrier_publish();
  }
  __syncwarp();
  if constexpr (kCluster > 1) cluster_arrive_relaxed();
  if (warp >= kWarps) {
    if constexpr (kCluster > 1) cluster_wait();
    if (merger.number >= 0)
      Choice{bias, ids, weights, slots, tokens, scale}.merge(shared.logits, shared.scratch,
                                                             tile + merger.first, merger.count);
    return;
  }

  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      const int column = (split * kChunks + chunk) * 64;  // beyond the end come zeros
      Mbarrier& full = shared.full[chunk];
      mbarrier_expect(full, static_cast<u32>(sizeof(Chunk)));
      tma_load_4d(shared.chunks[chunk].experts, gate_tile_map, column, first_expert, 0, 0, full);
      tma_load_4d(shared.chunks[chunk].tokens, hidden_tile_map, column, tile, 0, 0, full);
    }
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(shared.zeros)) / 16; i += kThreads)
    reinterpret_cast<uint4*>(shared.zeros)[i + static_cast<int>(threadIdx.x)] =
        make_uint4(0, 0, 0, 0);
  wgmma_publish();
  named_barrier_sync<kThreads>(kSummed);  // zeros and barriers are there
  if constexpr (kCluster > 1) cluster_wait();  // and the other blocks

#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    const bool rehearsal = pass == 0;
    float sums[kTileExperts / 2] = {};
    wgmma_settle(sums);
#pragma unroll 1
    for (int chunk = 0; chunk < (rehearsal ? 1 : kChunks); ++chunk) {
      if (!rehearsal) mbarrier_wait(shared.full[chunk], 0);
      const u32 token_rows =
          shared_address(rehearsal ? shared.zeros : shared.chunks[chunk].tokens);
      const u32 expert_rows =
          shared_address(rehearsal ? shared.zeros : shared.chunks[chunk].experts);
      wgmma_fence();
#pragma unroll
      for (int k = 0; k < 4; ++k)
        wgmma_ss<Operand::bf16, kTileExperts, true>(
            sums, tile_descriptor(token_rows, kTileTokens, k),
            tile_descriptor(expert_rows, kTileExperts, k));
      wgmma_commit();
    }
    wgmma_wait<0>();
    wgmma_settle(sums);
    // Of eight columns a lane has two, of two rows; neighbours exchange, for four of one row.
    const bool odd = lane % 2 != 0;
    const int row = warp * 16 + lane / 4 + (odd ? 8 : 0), column = lane % 4 / 2 * 4;
    [[maybe_unused]] float* const to =
        slots + (static_cast<i64>(split) * tokens + tile + row) * kExperts + first_expert + column;
    [[maybe_unused]] u32 part = 0, part_full = 0;
    if constexpr (kCluster > 1) {
      const u32 owner = static_cast<u32>(row / kOwnTokens);
      part = remote_address(&shared.parts[cluster_rank()][row % kOwnTokens][column], owner);
      part_full = remote_address(&shared.parts_full, owner);
    }
#pragma unroll
    for (int j = 0; j < kTileExperts / 8; ++j) {
      const float* const own = sums + 4 * j;
      const float x = __shfl_xor_sync(kFullMask, odd ? own[0] : own[2], 1);
      const float y = __shfl_xor_sync(kFullMask, odd ? own[1] : own[3], 1);
      const float4 four = make_float4(odd ? x : own[0], odd ? y : own[1], odd ? own[2] : x,
                                      odd ? own[3] : y);
      if constexpr (kCluster > 1) {
        if (!rehearsal) store_remote_async_4(part + static_cast<u32>(j) * 32u, four, part_full);
      } else {
        if (!rehearsal && tile + row < tokens && first_expert + j * 8 + column < kExperts)
          fill_slots(to + j * 8, four);
      }
    }
    if constexpr (kCluster > 1) {
      if (!rehearsal) mbarrier_wait(shared.parts_full, 0);
      const int first = tile + static_cast<int>(cluster_rank()) * kOwnTokens;
      constexpr int kColumns = kTileExperts / 4;
      const int stride = rehearsal ? 0 : kOwnTokens * kTileExperts;
#pragma unroll 1
      for (int i = static_cast<int>(threadIdx.x); i < kOwnTokens * kColumns; i += kThreads) {
        const int own_row = i / kColumns, own_column = i % kColumns * 4;
        const float* const from = rehearsal ? reinterpret_cast<const float*>(shared.zeros)
                                            : &shared.parts[0][own_row][own_column];
        float4 sum = *reinterpret_cast<const float4*>(from);
#pragma unroll
        for (int c = 1; c < kCluster; ++c) {
          const float4 more = *reinterpret_cast<const float4*>(from + c * stride);
          sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
        }
        if (!rehearsal && first + own_row < tokens && first_expert + own_column < kExperts)
          fill_slots(slots +
                         (static_cast<i64>(split / kCluster) * tokens + first + own_row) *
                             kExperts +
                         first_expert + own_column,
                     sum);
      }
    }
  }
  if (merger.number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
}
