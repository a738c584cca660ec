// Router of a mixture of experts for up to 64 tokens, in one launch, on Hopper: operands by the
// copy engine, products by wgmma, sums of a cluster's blocks through distributed shared memory.
//
// decode_stage.cu asks for its operands with some hundred copies of every warp, and reads each of
// them several times from shared memory as fragments: 670 readings of 512 bytes for 64 tokens, 48
// experts and 448 columns, 1.5 us of the bandwidth of shared memory. Here
//   1. a thread of each of four warps asks for its share of the chunks of 64 columns: a box of 64
//      experts, and one of the tokens. The gate, which is in DRAM, is asked for before the blocks
//      of a cluster know of each other;
//   2. SHARE blocks with the same columns and other experts take turns to ask for the tokens, which
//      the copy engine brings to all of them: 64 tokens are 0.9 MB, and six tiles of experts would
//      read 5.5 MB of it from L2, as much as of the gate;
//   3. a warpgroup multiplies chunk by chunk, as they arrive. Experts are the 64 rows that wgmma
//      has, tokens its columns, so that 16 tokens cost a quarter of 64. It has gone through the
//      same code with a tile of zeros before, since a launch finds its code in DRAM;
//   4. CLUSTER blocks with the same experts and other columns add up: each gets the sums of its
//      share of the tokens from all of them, stored right into its shared memory, and leaves for
//      the blocks that choose one sum instead of CLUSTER.
// A block that adds up alone turns its sums round in shared memory: stored as lanes have them,
// eight rows of 64 bytes at a time, those of 64 tokens took 1.2 us, and two rows of 256 take 0.6.
// The rest is decode_exchange.cuh's.
//
// 64 tokens on an H200, 14 splits, in us after the first instruction, medians of the blocks (and
// the latest): 0.8 all is asked for, 3.2 the first chunk and 4.2 (4.4) the last one are there, 4.4
// the product, 4.9 (5.1) stored, 5.8 (6.4) gathered by those who choose, 6.2 listed, 6.5 (7.1)
// done. With 16 tokens the last chunk is there at 3.8. The more bytes a block reads, the later it
// has the last of them, 0.65 us for 48 KB; the more splits there are, the later sums are gathered.
//
// Tunables:
//   TILE_TOKENS   tokens of a block, in sixteens
//   SPLITS        of the hidden dimension, in chunks of 64: experts / 64 * SPLITS blocks
//   CLUSTER       blocks that add up before they store; 1: none. A trip between blocks of a cluster
//                 more, and so much less to write to and read from L2
//   SHARE         blocks that share their reading of the tokens; 1: none. CLUSTER * SHARE blocks
//                 are a cluster. An H100 has room for 12 of 8 at once, and for 16 not always
//   MERGE_TOKENS  tokens of a block that chooses
//   TOUCH         parts of the sums that a rehearsal of the choice reads
//   READINGS      of slots that are on their way at once
//   PROMOTION     bytes of the gate that L2 fetches at least: a chunk of a row is 128
//
// Requires: sm_90a; experts in fours; hidden_size in chunks of 64.
//
// Tried, and slower:
//   - rows of the gate and of tokens fetched to L2 in advance, by bulk prefetches of the warps that
//     choose: these wait as long for their first addresses;
//   - the gate by cp.async of all threads, without a descriptor: its first chunk is there no sooner
//     and its last one 1.5 us later;
//   - neighbouring chunks, 256 bytes of a row, asked for by one thread;
//   - two or four warpgroups that divide the tokens: sums are stored 0.25 us sooner, the launch
//     takes 0.7 us longer;
//   - sums stored as lanes have them after one exchange, 512 bytes in a row, which those who choose
//     read in pieces of 64: 0.1 us less to store, 0.3 more to gather;
//   - to read again only the sums that are missing: 0.2 us more; two readings on their way at once:
//     0.9 us more, since they take L2's time from the stores.
#include "cluster.cuh"
#include "decode_exchange.cuh"
#include "problem.cuh"
#include "tma.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

#ifndef TILE_TOKENS
#define TILE_TOKENS 64
#endif
#ifndef SPLITS
#define SPLITS 16
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
#ifndef SHARE
#define SHARE 1
#endif
#ifndef MERGE_TOKENS
#define MERGE_TOKENS 1
#endif
#ifndef TOUCH
#define TOUCH 16
#endif
#ifndef READINGS
#define READINGS 1
#endif

constexpr int kTileTokens = TILE_TOKENS, kSplits = SPLITS, kCluster = CLUSTER, kShare = SHARE;
constexpr int kMergeTokens = MERGE_TOKENS;
constexpr int kWarps = 4, kThreads = kWarps * kWarpSize;  // of the product
constexpr int kTileExperts = 64, kOwnTokens = kTileTokens / kCluster;
constexpr int kSums = kSplits / kCluster;  // that are left for the choice
constexpr int kAllChunks = kHidden / 64, kChunks = (kAllChunks + kSplits - 1) / kSplits;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Choice = Exchange<Router, Select, kSums, kWarps, kMergeTokens, TOUCH, READINGS>;
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
  float parts[kCluster][kOwnTokens][kTileExperts];
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

// Even where nobody uses it, so that a rehearsal goes through what follows.
__device__ __forceinline__ float4 load_shared_4(u32 address) {
  float4 value;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "r"(address)
               : "memory");
  return value;
}

// Of a token's row in `parts` where it is exchanged within the block: an expert is `^ place_of()`.
// Sums of two tokens, of eight of which a warp has each of eight experts, find 32 banks, and fours
// of experts stay together.
__device__ __forceinline__ int place_of(int token) { return token / 2 % 4 * 8; }

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

  if (warp >= kWarps) {
    if constexpr (kInCluster) {
      cluster_arrive_relaxed();
      cluster_wait();
    }
    const Merger<kMergeTokens> own = merger();
    if (own.number >= 0)
      Choice{bias, ids, weights, slots, tokens, scale}.merge(shared.logits, shared.scratch,
                                                             tile + own.first, own.count);
    return;
  }

  // Each warp has every fourth chunk, and the barriers of these. What is not needed to ask for the
  // first comes later: it is code that is fetched from DRAM.
  if (lane == 0) {
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
    if (kInCluster && warp == kWarps - 1) {
      if constexpr (kShare > 1) tma_prefetch(hidden_tile_map);
      mbarrier_init(shared.parts_full, 1);
      mbarrier_publish();
      mbarrier_expect(shared.parts_full, static_cast<u32>(sizeof(shared.parts)));
    }
  }
  __syncwarp();
  if constexpr (kInCluster) cluster_arrive_relaxed();
  if constexpr (kShare > 1) {
    cluster_wait();  // all barriers are there
    if (lane == 0) {
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
    float sums[kTileTokens / 2] = {};
    wgmma_settle(sums);
#pragma unroll 1
    for (int chunk = 0; chunk < (rehearsal ? 1 : chunks); ++chunk) {
      if (!rehearsal) mbarrier_wait(shared.full[chunk], 0);
      const u32 expert_rows =
          shared_address(rehearsal ? shared.zeros : shared.chunks[chunk].experts);
      const u32 token_rows = shared_address(rehearsal ? shared.zeros : shared.chunks[chunk].tokens);
      wgmma_fence();
#pragma unroll
      for (int k = 0; k < 4; ++k)
        wgmma_ss<Operand::bf16, kTileTokens, true>(sums,
                                                   tile_descriptor(expert_rows, kTileExperts, k),
                                                   tile_descriptor(token_rows, kTileTokens, k));
      wgmma_commit();
    }
    wgmma_wait<0>();
    wgmma_settle(sums);
    if constexpr (kCluster > 1) {
      const int row = lane / 4 % 4, column = warp * 16 + row / 2 * 8 + lane / 16 * 4;
      const int first_token = lane % 4 * 2 + row % 2;
#pragma unroll
      for (int j = 0; j < kTileTokens / 8; ++j) {
        if (rehearsal && j % kWarps != warp) continue;  // other warps fetch that code
        const float4 four = transpose(sums + 4 * j);
        const int token = j * 8 + first_token;
        const u32 owner =
            cluster_rank() / kCluster * kCluster + static_cast<u32>(token / kOwnTokens);
        const float* const part =
            &shared.parts[cluster_rank() % kCluster][token % kOwnTokens][column];
        if (!rehearsal)
          store_remote_async_4(remote_address(part, owner), four,
                               remote_address(&shared.parts_full, owner));
      }
    } else {
      // Through shared memory, so that a warp stores two rows of 256 bytes at a time.
      const int quad = lane / 4, first_token = lane % 4 * 2;
#pragma unroll
      for (int j = 0; j < kTileTokens / 8; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int token = j * 8 + first_token + i % 2, expert = warp * 16 + i / 2 * 8 + quad;
          shared.parts[0][token][expert ^ place_of(token)] = sums[4 * j + i];
        }
      }
      named_barrier_sync<kThreads>(kSummed);
      constexpr int kRowLanes = kTileExperts / 4, kRows = kThreads / kRowLanes;
      const int row = static_cast<int>(threadIdx.x) / kRowLanes;
      const int column = static_cast<int>(threadIdx.x) % kRowLanes * 4;
      float* const to = slots + (static_cast<i64>(split) * tokens + tile + row) * kExperts +
                        first_expert + column;
      const bool exists = first_expert + column < kExperts;
#pragma unroll
      for (int j = 0; j < kTileTokens / kRows; ++j) {
        const int token = j * kRows + row;
        const void* const from = rehearsal ? static_cast<const void*>(shared.zeros)
                                           : &shared.parts[0][token][column ^ place_of(token)];
        const float4 four = load_shared_4(shared_address(from));
        if (!rehearsal && exists && tile + token < tokens)
          fill_slots(to + j * kRows * kExperts, four);
      }
    }
    if constexpr (kCluster > 1) {
      if (!rehearsal) mbarrier_wait(shared.parts_full, 0);
      const int first = tile + static_cast<int>(cluster_rank()) % kCluster * kOwnTokens;
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
          fill_slots(
              slots + (static_cast<i64>(split / kCluster) * tokens + first + own_row) * kExperts +
                  first_expert + own_column,
              sum);
      }
    }
  }
  if (merger().number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
}
