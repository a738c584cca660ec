// Router of a mixture of experts for one to eight tokens, in one launch: whole rows of the gate to
// a block, dot products in ordinary arithmetic, the exchange of decode_poll.cu without its sums.
//
// A block of decode_poll.cu has sixteen experts, because an instruction of the tensor cores takes
// them, and so a fraction of the hidden dimension. Few tokens need no tensor cores, and a block can
// have three experts of 384 and all of their columns: a run of 43 KB of the gate, of which each
// lane asks for its share at once, neighbouring lanes for neighbouring 16 bytes. Nothing is left to
// be added up between blocks, and who chooses reads one word for each expert:
//   1. Threads stride through the columns of the block's experts and tokens, 16 bytes each, all
//      loads before the first product.
//   2. Sums of a warp by exchanges, of the warps through shared memory, and to the slots.
//   3. Warps of the blocks that begin last read slots until all are there, and choose. They have
//      rehearsed that in the meantime (decode_exchange.cuh).
// The hidden states are read by all blocks, from L2: 14 KB of each for 43 KB of the gate.
//
// Tunables:
//   ROWS        of the gate, of a block: experts / ROWS blocks, as many as SMs
//   ROW_TOKENS  tokens of a block, 1 to 8; more than there are cost time for nothing
//   WARPS       of the product. With 14, a lane has 2 pieces of a row of 7168
//   READINGS    of slots that are on their way at once
//
// Requires: compute capability 8.0; hidden_size in pieces of 8 elements; experts in fours.
//
// Blocks have whole rows although halves would read fewer hidden states: that was slower
// (NOTES.md).
//
// Next idea: copies by the engine, which would not need the registers.
#include "decode_exchange.cuh"
#include "decode_product.cuh"
#include "defaults.cuh"
#include "packet.cuh"
#include "problem.cuh"

constexpr int kTileExperts = ROWS, kTileTokens = ROW_TOKENS;
constexpr int kWarps = WARPS, kThreads = kWarps * kWarpSize;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Choice = Exchange<Router, Select, 1, kWarps, 1, 1, READINGS>;

constexpr int kPieces = kHidden / 8;  // of 16 bytes, of a row
constexpr int kSteps = (kPieces + kThreads - 1) / kThreads;
constexpr int kSums = kTileExperts * kTileTokens;
static_assert(kPieces * 8 == kHidden && kSums <= kWarpSize);

struct Product {
  const bf16* __restrict__ hidden;
  const bf16* __restrict__ gate;
  int first_expert, first_token, tokens;

  // The lane's kSums sums over its pieces.
  __device__ __forceinline__ void run(float (&sums)[kSums]) const {
    uint4 experts[kSteps][kTileExperts], states[kSteps][kTileTokens];
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      const int piece = step * kThreads + static_cast<int>(threadIdx.x);
      const bool inside = kPieces % kThreads == 0 || piece < kPieces;
      const bf16* const from = gate + static_cast<i64>(first_expert) * kHidden + piece * 8;
#pragma unroll
      for (int e = 0; e < kTileExperts; ++e)
        experts[step][e] =
            read_piece(inside && (kExperts % kTileExperts == 0 || first_expert + e < kExperts),
                       from + e * kHidden);
    }
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      const int piece = step * kThreads + static_cast<int>(threadIdx.x);
      const bool inside = kPieces % kThreads == 0 || piece < kPieces;
      const bf16* const from = hidden + static_cast<i64>(first_token) * kHidden + piece * 8;
#pragma unroll
      for (int t = 0; t < kTileTokens; ++t)
        states[step][t] = read_piece(inside && first_token + t < tokens, from + t * kHidden);
    }
#pragma unroll
    for (int i = 0; i < kSums; ++i) sums[i] = 0;
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int t = 0; t < kTileTokens; ++t) {
        float state[8];
        unpack(states[step][t], state);
#pragma unroll
        for (int e = 0; e < kTileExperts; ++e) {
          float row[8];
          unpack(experts[step][e], row);
#pragma unroll
          for (int i = 0; i < 8; ++i)
            sums[t * kTileExperts + e] = fmaf(state[i], row[i], sums[t * kTileExperts + e]);
        }
      }
    }
  }

  // A bf16 is the upper half of a float.
  static __device__ __forceinline__ void unpack(const uint4& piece, float (&values)[8]) {
    const u32 words[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      values[2 * i] = __uint_as_float(words[i] << 16);
      values[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
    }
  }
};

// Adds up the sums of a warp's lanes.
__device__ __forceinline__ void reduce(float (&sums)[kSums], float (&to)[kSums], int lane) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) sums[i] = warp_sum(sums[i]);
  if (lane == 0) {
#pragma unroll
    for (int i = 0; i < kSums; ++i) to[i] = sums[i];
  }
}

// Run by one warp: adds up the sums of all warps, one for each lane, and fills their slots.
__device__ __forceinline__ void store(float* slots, const float (&all_sums)[kWarps][kSums],
                                      int tile, int first_expert, int tokens, int lane) {
  float sum = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) sum += all_sums[w][lane % kSums];
  const int token = tile + lane / kTileExperts, expert = first_expert + lane % kTileExperts;
  if (lane < kSums && token < tokens && expert < kExperts) {
    float* const slot = slots + static_cast<i64>(token) * kExperts + expert;
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(slot)),
                 "r"(filled(sum))
                 : "memory");
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden   [tokens, hidden_size] of dtype
//   gate     [experts, hidden_size] of dtype, as linear layers hold it
//   bias     [experts] of f32
//   ids      [tokens, k] of i32, written
//   weights  [tokens, k] of f32, written
//   slots    [tokens, experts] of f32, scratch, zeros before the first launch: sums of whole rows;
//            a launch leaves them at 0
//   tokens   rows of hidden states
//   scale    factor of the weights
extern "C" __global__ void __launch_bounds__(Choice::kAllThreads, 1)
    moe_router_decode_rows(const bf16* __restrict__ hidden, const bf16* __restrict__ gate,
                           const float* __restrict__ bias, int* __restrict__ ids,
                           float* __restrict__ weights, float* slots, int tokens, float scale) {
  __shared__ Choice::Scratch scratch;
  __shared__ alignas(16) Choice::Logits logits;
  __shared__ float all_sums[kWarps][kSums];
  const int warp = uniform_warp_id(), lane = lane_id();
  const int tile = static_cast<int>(blockIdx.z) * kTileTokens;
  const int first_expert = static_cast<int>(blockIdx.x) * kTileExperts;

  const Merger<1> merger(min(tokens - tile, kTileTokens));
  if (warp >= kWarps) {
    if (merger.number >= 0)
      Choice{bias, ids, weights, slots, tokens, scale}.merge(logits, scratch, tile + merger.first,
                                                             merger.count);
    return;
  }
  float sums[kSums];
  Product{hidden, gate, first_expert, tile, tokens}.run(sums);
  reduce(sums, all_sums[warp], lane);
  named_barrier_sync<kThreads>(kSummed);
  if (warp != 0) {
    if (merger.number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
    return;
  }
  store(slots, all_sums, tile, first_expert, tokens, lane);
  if (merger.number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
}
