// Router of a mixture of experts for many tokens on any GPU since Ampere: logits = hidden * gate^T
// by mma.sync, then the choice of expert_route.cuh, in one block and without leaving the SM.
//
// Algorithm: a block multiplies TILE_TOKENS tokens by all experts. Copies of COLUMNS columns of
// both come by cp.async into a ring of STAGES, rows swizzled so that ldmatrix meets no bank
// conflicts. A warp has all tokens of the tile and its share of the experts: 64 tokens x 48 experts
// of 384 take 3.5 KB from shared memory for 24 products, which keeps the tensor cores of mma.sync
// busy. In the end the logits take the place of the ring, and each warp chooses for its share of
// the tokens.
//
// Tunables:
//   TILE_TOKENS  64 use the gate, which comes from L2, for twice as many tokens as 32, but need 100
//                KB for the logits of 384 experts, and twice the registers
//   WARPS        that share the experts, in sixteens
//   COLUMNS      of a stage: 64 need half the barriers and twice the memory
//   STAGES       of the ring
//   SLOTS        of the lists (expert_select.cuh): fewer rank more tokens at once
//
// Requires: compute capability 8.0; rows of whole stages.
//
// Next idea: prefill_wgmma.cu, where there is wgmma.
#include "cp_async.cuh"
#include "defaults.cuh"
#include "expert_route.cuh"
#include "ldmatrix.cuh"
#include "mma.cuh"
#include "problem.cuh"

constexpr int kTileTokens = TILE_TOKENS, kWarps = WARPS, kColumns = COLUMNS, kStages = STAGES;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), SLOTS>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;

constexpr int kThreads = kWarps * kWarpSize, kSteps = kHidden / kColumns;
constexpr int kWarpExperts = (kExperts + 16 * kWarps - 1) / (16 * kWarps) * 16;
constexpr int kAllExperts = kWarpExperts * kWarps;  // some of which do not exist
constexpr int kM = kTileTokens / 16, kN = kWarpExperts / 8;
constexpr int kRowBytes = 2 * kColumns, kPieces = kRowBytes / 16;
// Rows of sums, of which a quad holds 8 neighbours of 4 rows at once, are 8 banks apart.
constexpr int kLogitStride = kAllExperts + (40 - kAllExperts % 32) % 32;
static_assert(kSteps * kColumns == kHidden && (kColumns == 32 || kColumns == 64));

union alignas(128) Shared {
  u8 stages[kStages][(kTileTokens + kAllExperts) * kRowBytes];  // tokens, then experts
  float logits[kTileTokens][kLogitStride];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// The place of 16-byte piece `piece` of a row. ldmatrix reads eight rows of one piece at once: they
// lie in all 32 banks, rows of 64 bytes two to a line.
__device__ __forceinline__ u32 piece_offset(int row, int piece) {
  return static_cast<u32>(row * kRowBytes + 16 * (piece ^ (row * kPieces / 8 % kPieces)));
}

// Rows that do not exist are zeros.
__device__ __forceinline__ void load_stage(u32 stage, const bf16* __restrict__ hidden,
                                           const bf16* __restrict__ gate, int first_token,
                                           int tokens, int step) {
  constexpr int kAll = (kTileTokens + kAllExperts) * kPieces;
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < kAll; i += kThreads) {
    const int row = i / kPieces, piece = i % kPieces, column = step * kColumns + piece * 8;
    const bool is_token = row < kTileTokens;
    const int source = is_token ? first_token + row : row - kTileTokens;
    const bool exists = source < (is_token ? tokens : kExperts);
    const bf16* from = (is_token ? hidden : gate) + static_cast<i64>(exists ? source : 0) * kHidden;
    copy_async(stage + piece_offset(row, piece), from + column, exists);
  }
}

__device__ __forceinline__ void multiply(float (&sums)[kM][kN][4], u32 stage, int warp) {
  const int lane = lane_id(), row = lane % 16, half = lane / 16;
#pragma unroll
  for (int k = 0; k < kColumns / 16; ++k) {
    u32 left[kM][4];
#pragma unroll
    for (int m = 0; m < kM; ++m)
      ldmatrix_x4(left[m], stage + piece_offset(16 * m + row, 2 * k + half));
#pragma unroll
    for (int n = 0; n < kN; n += 2) {
      // Sixteen experts: words 0 and 2 are of the first eight, 1 and 3 of the others.
      u32 words[4];
      ldmatrix_x4(words, stage + piece_offset(kTileTokens + warp * kWarpExperts + 8 * n + row,
                                              2 * k + half));
      const u32 first[2] = {words[0], words[2]}, second[2] = {words[1], words[3]};
#pragma unroll
      for (int m = 0; m < kM; ++m) {
        mma<Operand::bf16>(sums[m][n], left[m], first);
        mma<Operand::bf16>(sums[m][n + 1], left[m], second);
      }
    }
  }
}

// Stores a warp's sums as logits, in shared memory.
__device__ __forceinline__ void store(Shared& shared, const float (&sums)[kM][kN][4], int warp,
                                      int lane) {
#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int n = 0; n < kN; ++n) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float* const to =
            &shared
                 .logits[16 * m + lane / 4 + 8 * half][warp * kWarpExperts + 8 * n + lane % 4 * 2];
        *reinterpret_cast<float2*>(to) =
            make_float2(sums[m][n][2 * half], sums[m][n][2 * half + 1]);
      }
    }
  }
}

// A lane's logits of a row in shared memory.
__device__ __forceinline__ void load_logits(float (&logits)[Select::kPerLane], const float* row,
                                            int lane) {
#pragma unroll
  for (int i = 0; i < Select::kPerLane; ++i) {
    const int expert = Select::expert(lane, i);
    logits[i] = expert < kExperts ? row[expert] : -kInfinity;
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden   [tokens, hidden_size] of dtype
//   gate     [experts, hidden_size] of dtype, as linear layers hold it
//   bias     [experts] of f32
//   ids      [tokens, k] of i32, written
//   weights  [tokens, k] of f32, written
//   tokens   rows of hidden states
//   scale    factor of the weights
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    moe_router_mma(const bf16* __restrict__ hidden, const bf16* __restrict__ gate,
                   const float* __restrict__ bias, int* __restrict__ ids,
                   float* __restrict__ weights, int tokens, float scale) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ Router::Scratch scratch[kWarps];
  const int warp = uniform_warp_id(), lane = lane_id();
  const int first_token = static_cast<int>(blockIdx.x) * kTileTokens;
  const auto stage_address = [&](int step) {
    return static_cast<u32>(__cvta_generic_to_shared(shared.stages[step % kStages]));
  };

  // A group of copies for each step, empty ones at the end, so that a step always waits for the
  // same number.
#pragma unroll
  for (int step = 0; step < kStages - 1; ++step) {
    if (step < kSteps) load_stage(stage_address(step), hidden, gate, first_token, tokens, step);
    commit_copies();
  }
  float sums[kM][kN][4] = {};
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    wait_for_copies<kStages - 2>();
    __syncthreads();  // everyone's copies are there, and the stage before has been read
    if (step + kStages - 1 < kSteps)
      load_stage(stage_address(step + kStages - 1), hidden, gate, first_token, tokens,
                 step + kStages - 1);
    commit_copies();
    multiply(sums, stage_address(step), warp);
  }
  Router router;
  router.load_bias(bias);
  wait_for_copies<0>();
  __syncthreads();
  store(shared, sums, warp, lane);
  __syncthreads();

#pragma unroll 1
  for (int row = warp * Select::kLists; row < kTileTokens; row += kWarps * Select::kLists) {
    const int lists = min(Select::kLists, tokens - first_token - row);
    if (lists <= 0) break;
#pragma unroll 1
    for (int list = 0; list < Select::kLists; ++list) {
      float logits[Select::kPerLane];
      load_logits(logits, shared.logits[row + min(list, lists - 1)], lane);
      router.collect(logits, list, scratch[warp]);
    }
    __syncwarp();
    Router::finish(
        lists, bias, scale, scratch[warp],
        [&](int list, int expert) { return shared.logits[row + list][expert]; },
        [&](int list, int place, int expert, float weight) {
          const i64 at = static_cast<i64>(first_token + row + list) * kTopK + place;
          ids[at] = expert;
          weights[at] = weight;
        });
  }
}
