// Router of a mixture of experts for up to 64 tokens, in one launch, on Hopper: operands by the
// copy engine, products by wgmma, sums of a cluster's blocks through distributed shared memory.
//
// decode_stage.cu asks for its operands with some hundred copies of every warp, and reads each of
// them several times from shared memory as fragments: 670 readings of 512 bytes for 64 tokens, 48
// experts and 448 columns, 1.5 us of the bandwidth of shared memory. Here
//   1. a thread of each of four warps asks for its share of the chunks of 64 columns: a box of the
//      block's experts, and one of the tokens. The gate, which is in DRAM, is asked for before the
//      blocks of a cluster have met, and before the warps that choose fetch code of their own;
//   2. SHARE blocks with the same columns and other experts take turns to ask for the tokens, which
//      the copy engine brings to all of them: 64 tokens are 0.9 MB, and six tiles of experts would
//      read 5.5 MB of it from L2, as much as of the gate;
//   3. a warpgroup multiplies chunk by chunk, as they arrive. wgmma has 64 rows. Either these are
//      experts, and tokens its columns, so that 16 tokens cost a quarter of 64; or they are 64
//      tokens, and 48 or 32 experts its columns, so that as many SMs read as there are, and no more
//      sums are to be added up. It has gone through the same code with a tile of zeros before,
//      since a launch finds its code in DRAM;
//   4. CLUSTER blocks with the same experts and other columns add up: each gets the sums of its
//      share of the tokens from all of them, stored right into its shared memory, and leaves for
//      the blocks that choose one sum instead of CLUSTER.
// A block that adds up alone turns its sums round in shared memory: stored as lanes have them,
// eight rows of 64 bytes at a time, those of 64 tokens took 1.2 us. Experts that are columns do not
// even leave their warp. The rest is decode_exchange.cuh's.
//
// 64 tokens on an H200, tiles of 48 experts, 14 splits, in us after the first instruction, medians
// of the blocks (and the latest): 0.35 (0.5) all is asked for, 1.4 (1.7) the first chunk and 2.7
// (3.1) the last one are there, 2.9 (3.3) the product, 3.2 (3.6) stored, 4.4 (4.6) gathered by
// those who choose, 5.1 (5.4) done, of which 0.25 is for what notes these times. Without those who
// choose the last chunk is there at 2.6 (2.85): what DRAM takes for the gate.
//
// Tunables:
//   TILE_TOKENS   tokens of a block, in sixteens
//   GATE_ROWS     experts of a block: 64, or another multiple of 16 where there are 64 tokens
//   SPLITS        of the hidden dimension, in chunks of 64: experts / GATE_ROWS * SPLITS blocks
//   CLUSTER       blocks that add up before they store; 1: none. One more trip between blocks of a
//                 cluster, and fewer sums to write to and read from L2, by this factor
//   SHARE         blocks that share their reading of the tokens; 1: none. CLUSTER * SHARE blocks
//                 are a cluster. An H100 has room for 12 of 8 at once, and for 16 not always
//   MERGE_TOKENS  tokens of a block that chooses
//   TOUCH         parts of the sums that a rehearsal of the choice reads
//   READINGS      of slots that are on their way at once
//   PATIENCE      cycles between the product of a block that chooses and its first reading of
//                 slots: all of them at the first trip, if they are there, instead of at the second
//   PROMOTION     bytes of the gate that L2 fetches at least: a chunk of a row is 128
//
// Requires: sm_90a; experts in fours; hidden_size in chunks of 64.
//
// One warpgroup multiplies, and a block that chooses reads all sums again until none is missing:
// the alternatives were slower (NOTES.md).
#include "cluster.cuh"
#include "decode_exchange.cuh"
#include "defaults.cuh"
#include "problem.cuh"
#include "tma.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

constexpr int kTileTokens = TILE_TOKENS, kSplits = SPLITS, kCluster = CLUSTER, kShare = SHARE;
constexpr int kMergeTokens = MERGE_TOKENS;
constexpr int kWarps = 4, kThreads = kWarps * kWarpSize;  // of the product
constexpr int kTileExperts = GATE_ROWS, kOwnTokens = kTileTokens / kCluster;
// Whether tokens are the rows of the product, and experts its columns.
constexpr bool kTokenRows = kTileExperts != 64;
static_assert(!kTokenRows || (kTileTokens == 64 && kCluster == 1));
constexpr int kColumns = kTokenRows ? kTileExperts : kTileTokens;
// Tokens a row each, so far apart that pairs of experts of four tokens find all banks.
constexpr int kPitch = kTokenRows ? kTileExperts + 8 : kTileExperts;
constexpr int kSums = kSplits / kCluster;  // that are left for the choice
constexpr int kAllChunks = kHidden / 64, kChunks = (kAllChunks + kSplits - 1) / kSplits;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Choice =
    Exchange<Router, Select, kSums, kWarps, kMergeTokens, TOUCH, READINGS, PATIENCE, true>;
static_assert(kSums * kCluster == kSplits && kAllChunks * 64 == kHidden);
static_assert(kOwnTokens * kCluster == kTileTokens && kTileTokens % 16 == 0);

constexpr int kRowBytes = 128;
struct Chunk {
  u8 experts[kTileExperts * kRowBytes];
  u8 tokens[kTileTokens * kRowBytes];
};
static_assert(sizeof(Chunk) % 1024 == 0);

struct alignas(1024) Shared {
  Chunk chunks[kChunks];
  u8 zeros[64 * kRowBytes];
  // From every block that adds up, sums of the tokens that are this block's.
  float parts[kCluster][kOwnTokens][kPitch];
  Choice::Logits logits;
  Choice::Scratch scratch;
  Mbarrier full[kChunks], parts_full;
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) <= WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// The first half of cluster_sync_relaxed().
__device__ __forceinline__ void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

// Stores to another block, or the own one, and tells the barrier of that block that the bytes are
// there: a trip, where a store, a fence and an arrival are three.
__device__ __forceinline__ void store_remote_async_4(u32 address, const float4& value,
                                                     u32 barrier) {
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, "
      "[%5];" ::"r"(address),
      "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w), "r"(barrier)
      : "memory");
}

// Lanes 4 and 8 apart exchange: four rows of one column, where each had a column of one row.
__device__ __forceinline__ float4 transpose(const float* own) {
  const bool first = (lane_id() & 4) != 0, second = (lane_id() & 8) != 0;
  const float x = __shfl_xor_sync(kFullMask, first ? own[0] : own[1], 4);
  const float y = __shfl_xor_sync(kFullMask, first ? own[2] : own[3], 4);
  const float a = first ? x : own[0], b = first ? own[1] : x;
  const float c = first ? y : own[2], d = first ? own[3] : y;
  const float z = __shfl_xor_sync(kFullMask, second ? a : c, 8);
  const float w = __shfl_xor_sync(kFullMask, second ? b : d, 8);
  return make_float4(second ? z : a, second ? w : b, second ? c : z, second ? d : w);
}

// The load stays even where its value is unused, so that a rehearsal goes through the code behind
// it.
__device__ __forceinline__ float4 load_shared_4(u32 address) {
  float4 value;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "r"(address)
               : "memory");
  return value;
}

// The places of a token's row in `parts` are exchanged within the block: an expert is at `^
// place_of()`. A warp has eight experts of each of eight tokens; sums of two tokens find 32 banks,
// and fours of experts stay together.
__device__ __forceinline__ int place_of(int token) { return token / 2 % 4 * 8; }

// Fills the slots of sums whose rows are tokens.
__device__ __forceinline__ void store_token_rows(Shared& shared, const float (&sums)[kColumns / 2],
                                                 float* slots, int split, int tile,
                                                 int first_expert, int tokens, int warp, int lane,
                                                 bool rehearsal) {
  // Through shared memory, so that a warp stores whole rows of its 16 tokens.
  float(*const rows)[kPitch] = &shared.parts[0][warp * 16];
#pragma unroll
  for (int j = 0; j < kTileExperts / 8; ++j) {
    float* const to = &rows[lane / 4][j * 8 + lane % 4 * 2];
    *reinterpret_cast<float2*>(to) = make_float2(sums[4 * j], sums[4 * j + 1]);
    *reinterpret_cast<float2*>(to + 8 * kPitch) = make_float2(sums[4 * j + 2], sums[4 * j + 3]);
  }
  __syncwarp();
  constexpr int kRowLanes = kTileExperts / 4, kPieces = 16 * kRowLanes / kWarpSize;
  float4 pieces[kPieces];
#pragma unroll
  for (int j = 0; j < kPieces; ++j) {
    const int i = j * kWarpSize + lane;
    pieces[j] = load_shared_4(shared_address(&rows[i / kRowLanes][i % kRowLanes * 4]));
  }
  float* const to =
      slots + (static_cast<i64>(split) * tokens + tile + warp * 16) * kExperts + first_expert;
#pragma unroll
  for (int j = 0; j < kPieces; ++j) {
    const int i = j * kWarpSize + lane, row = i / kRowLanes, column = i % kRowLanes * 4;
    fill_slots(to + row * kExperts + column, pieces[j],
               !rehearsal && first_expert + column < kExperts && tile + warp * 16 + row < tokens);
  }
}

// Stores the sums in the blocks of the cluster that add up their tokens.
__device__ __forceinline__ void store_to_owners(Shared& shared, const float (&sums)[kColumns / 2],
                                                int warp, int lane, bool rehearsal) {
  const int row = lane / 4 % 4, column = warp * 16 + row / 2 * 8 + lane / 16 * 4;
  const int first_token = lane % 4 * 2 + row % 2;
#pragma unroll
  for (int j = 0; j < kTileTokens / 8; ++j) {
    if (rehearsal && j % kWarps != warp) continue;  // other warps fetch that code
    const float4 four = transpose(sums + 4 * j);
    const int token = j * 8 + first_token;
    const u32 owner = cluster_rank() / kCluster * kCluster + static_cast<u32>(token / kOwnTokens);
    const float* const part = &shared.parts[cluster_rank() % kCluster][token % kOwnTokens][column];
    if (!rehearsal)
      store_remote_async_4(remote_address(part, owner), four,
                           remote_address(&shared.parts_full, owner));
  }
}

// Issues the products of all chunks, as they arrive; in a rehearsal those of a tile of zeros.
__device__ __forceinline__ void multiply(float (&sums)[kColumns / 2], Shared& shared, int chunks,
                                         bool rehearsal) {
#pragma unroll 1
  for (int chunk = 0; chunk < (rehearsal ? 1 : chunks); ++chunk) {
    if (!rehearsal) mbarrier_wait(shared.full[chunk], 0);
    const u32 expert_rows = shared_address(rehearsal ? shared.zeros : shared.chunks[chunk].experts);
    const u32 token_rows = shared_address(rehearsal ? shared.zeros : shared.chunks[chunk].tokens);
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < 4; ++k)
      wgmma_ss<Operand::bf16, kColumns, true>(
          sums, tile_descriptor(kTokenRows ? token_rows : expert_rows, 64, k),
          tile_descriptor(kTokenRows ? expert_rows : token_rows, kColumns, k));
    wgmma_commit();
  }
}

// Starts the copies of the tokens that are this block's turn, to all blocks that share them.
__device__ __forceinline__ void load_shared_tokens(Shared& shared, const TensorMap& hidden_tile_map,
                                                   int first_chunk, int chunks, int tile,
                                                   int warp) {
  const u32 rank = cluster_rank();
  u32 ranks = 0;
#pragma unroll
  for (int i = 0; i < kShare; ++i) ranks |= 1u << (rank % kCluster + i * kCluster);
#pragma unroll 1
  for (int chunk = warp; chunk < chunks; chunk += kWarps)
    if (chunk % kShare == static_cast<int>(rank / kCluster))
      tma_multicast_4d(shared.chunks[chunk].tokens, hidden_tile_map, (first_chunk + chunk) * 64,
                       tile, 0, 0, shared.full[chunk], ranks);
}

// Starts a warp's share of the copies: every fourth chunk.
__device__ __forceinline__ void load(Shared& shared, const TensorMap& hidden_tile_map,
                                     const TensorMap& gate_tile_map, int first_chunk, int chunks,
                                     int first_expert, int tile, int warp) {
#pragma unroll 1
  for (int chunk = warp; chunk < chunks; chunk += kWarps) {
    Mbarrier& full = shared.full[chunk];
    const int column = (first_chunk + chunk) * 64;
    mbarrier_init(full, 1);
    mbarrier_publish();
    mbarrier_expect(full, static_cast<u32>(sizeof(Chunk)));
    tma_load_4d(shared.chunks[chunk].experts, gate_tile_map, column, first_expert, 0, 0, full);
    if constexpr (kShare == 1)
      tma_load_4d(shared.chunks[chunk].tokens, hidden_tile_map, column, tile, 0, 0, full);
  }
}

// Stores sums whose rows are experts in shared memory, as rows of tokens.
__device__ __forceinline__ void turn_round(Shared& shared, const float (&sums)[kColumns / 2],
                                           int warp, int quad, int first_token) {
#pragma unroll
  for (int j = 0; j < kTileTokens / 8; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int token = j * 8 + first_token + i % 2, expert = warp * 16 + i / 2 * 8 + quad;
      shared.parts[0][token][expert ^ place_of(token)] = sums[4 * j + i];
    }
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden_tile_map  tensor map of hidden as [1, 1, tokens, hidden_size], boxes of [1, 1,
//                    TILE_TOKENS, 64], swizzle 128
//   gate_tile_map    tensor map of gate as [1, 1, experts, hidden_size], boxes of [1, 1, GATE_ROWS,
//                    64], swizzle 128
//   bias             [experts] of f32
//   ids              [tokens, k] of i32, written
//   weights          [tokens, k] of f32, written
//   slots            [SPLITS, tokens, experts] of f32, scratch, zeros before the first launch: sums
//                    of the parts of the hidden dimension; a launch leaves them at 0
//   tokens           rows of hidden states
//   scale            factor of the weights
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
  // Not before it is needed: it waits for `tokens`.
  const auto merger = [&] {
    const int number =
        (static_cast<int>(blockIdx.y) / kShare * (kSplits / kCluster) + split / kCluster) *
            (kCluster * kShare) +
        static_cast<int>(blockIdx.y) % kShare * kCluster + split % kCluster;
    // Clusters begin one after another.
    return Merger<kMergeTokens>(min(tokens - tile, kTileTokens), number);
  };
  constexpr bool kInCluster = kCluster * kShare > 1;
  // The block's chunks. Neighbouring ranks add up, ranks kCluster apart share tokens.
  const int first_chunk = split * kAllChunks / kSplits;
  const int chunks = (split + 1) * kAllChunks / kSplits - first_chunk;

  // Each warp has every fourth chunk, and the barriers of these. Everything that the first request
  // does not need comes later: it is code that is fetched from DRAM.
  if (lane == 0 && warp < kWarps) {
    load(shared, hidden_tile_map, gate_tile_map, first_chunk, chunks, first_expert, tile, warp);
    if (kInCluster && warp == kWarps - 1) {
      if constexpr (kShare > 1) tma_prefetch(hidden_tile_map);
      mbarrier_init(shared.parts_full, 1);
      mbarrier_publish();
      mbarrier_expect(shared.parts_full, static_cast<u32>(sizeof(shared.parts)));
    }
  }
  __syncwarp();
  if constexpr (kInCluster) cluster_arrive_relaxed();
  // Those that choose fetch other code, which would come in turns with that above.
  named_barrier_sync<Choice::kAllThreads>(kAsked);
  if (warp >= kWarps) {
    if constexpr (kInCluster) cluster_wait();
    const Merger<kMergeTokens> own = merger();
    if (own.number >= 0)
      Choice{bias, ids, weights, slots, tokens, scale}.merge(shared.logits, shared.scratch,
                                                             tile + own.first, own.count);
    return;
  }

  if constexpr (kShare > 1) {
    cluster_wait();  // all barriers are there
    if (lane == 0) load_shared_tokens(shared, hidden_tile_map, first_chunk, chunks, tile, warp);
    __syncwarp();
  }
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(shared.zeros)) / 16; i += kThreads)
    reinterpret_cast<uint4*>(shared.zeros)[i + static_cast<int>(threadIdx.x)] =
        make_uint4(0, 0, 0, 0);
  wgmma_publish();
  named_barrier_sync<kThreads>(kSummed);  // zeros and barriers are there
  if constexpr (kInCluster && kShare == 1) cluster_wait();

#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    const bool rehearsal = pass == 0;
    float sums[kColumns / 2] = {};
    wgmma_settle(sums);
    multiply(sums, shared, chunks, rehearsal);
    wgmma_wait<0>();
    wgmma_settle(sums);
    if constexpr (kCluster > 1) {
      store_to_owners(shared, sums, warp, lane, rehearsal);
    } else if constexpr (kTokenRows) {
      store_token_rows(shared, sums, slots, split, tile, first_expert, tokens, warp, lane,
                       rehearsal);
    } else {
      // Through shared memory, so that a warp stores two rows of 256 bytes at a time.
      const int quad = lane / 4, first_token = lane % 4 * 2;
      turn_round(shared, sums, warp, quad, first_token);
      named_barrier_sync<kThreads>(kSummed);
      constexpr int kRowLanes = kTileExperts / 4, kRows = kThreads / kRowLanes;
      const int row = static_cast<int>(threadIdx.x) / kRowLanes;
      const int column = static_cast<int>(threadIdx.x) % kRowLanes * 4;
      float* const to = slots + (static_cast<i64>(split) * tokens + tile + row) * kExperts +
                        first_expert + column;
      const bool exists = first_expert + column < kExperts;
      float4 pieces[kTileTokens / kRows];
#pragma unroll
      for (int j = 0; j < kTileTokens / kRows; ++j) {
        const int token = j * kRows + row;
        const void* const from = rehearsal ? static_cast<const void*>(shared.zeros)
                                           : &shared.parts[0][token][column ^ place_of(token)];
        pieces[j] = load_shared_4(shared_address(from));
      }
#pragma unroll
      for (int j = 0; j < kTileTokens / kRows; ++j)
        fill_slots(to + j * kRows * kExperts, pieces[j],
                   !rehearsal && exists && tile + j * kRows + row < tokens);
    }
    if constexpr (kCluster > 1) {
      if (!rehearsal) mbarrier_wait(shared.parts_full, 0);
      const int first = tile + static_cast<int>(cluster_rank()) % kCluster * kOwnTokens;
      constexpr int kPieces = kTileExperts / 4;
      const int stride = rehearsal ? 0 : kOwnTokens * kTileExperts;
#pragma unroll 1
      for (int i = static_cast<int>(threadIdx.x); i < kOwnTokens * kPieces; i += kThreads) {
        const int own_row = i / kPieces, own_column = i % kPieces * 4;
        const float* const from = rehearsal ? reinterpret_cast<const float*>(shared.zeros)
                                            : &shared.parts[0][own_row][own_column];
        float4 sum = *reinterpret_cast<const float4*>(from);
#pragma unroll
        for (int c = 1; c < kCluster; ++c) {
          const float4 more = *reinterpret_cast<const float4*>(from + c * stride);
          sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
        }
        if (!rehearsal && first + own_row < tokens && first_expert + own_column < kExperts)
          fill_slots(
              slots + (static_cast<i64>(split / kCluster) * tokens + first + own_row) * kExperts +
                  first_expert + own_column,
              sum);
      }
    }
  }
  if (const Merger<kMergeTokens> own = merger(); own.number >= 0) {
    named_barrier_arrive<Choice::kAllThreads>(kProductDone);
    Choice{bias, ids, weights, slots, tokens, scale}.clear_slots(tile + own.first, own.count);
  }
}
