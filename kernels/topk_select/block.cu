// Top-k of the scores of experts with a block per token: for few tokens of many experts.
//
// Algorithm: each warp selects the best k of its share of the experts as in list.cu, which leaves
// WARPS * k experts, at most 32. After one barrier the first warp ranks them, one a lane. Latency
// is what counts here: with 1024 experts a lane of one warp holds 32 scores, and its steps follow
// each other; eight warps hold 4 scores a lane.
//
// Tunables:
//   WARPS  that share a token: more look at fewer scores each, and leave more to rank
//
// Requires: WARPS * k <= 32; an equal share of experts for each warp, at most 1024.
//
// For few experts what is left is a launch, two loads and a barrier. Next idea: a threshold that
// the whole block finds, for more experts chosen than a warp ranks: bisect.cu.
#include "defaults.cuh"
#include "expert_select.cuh"

using Score = DTYPE;
constexpr int kExperts = EXPERTS;
constexpr int kTopK = TOP_K;
constexpr int kWarps = WARPS;
constexpr int kPart = kExperts / kWarps;  // experts of a warp
constexpr int kVector = row_vector(kPart, static_cast<int>(sizeof(Score)));
using Select = ExpertSelect<kPart, kTopK, kWarpSize, kVector, kWarpSize>;
static_assert(kPart * kWarps == kExperts && kWarps * kTopK <= kWarpSize);

struct alignas(16) Shared {
  u64 keys[kWarps][kWarpSize];
  int lists[kWarps][kWarpSize];
  int best[kWarpSize];  // the best k of each warp, numbered through all experts
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   scores  [tokens, experts] of dtype
//   ids     [tokens, k] of i32, written
//   values  [tokens, k] of dtype, written
//   tokens  rows of scores
extern "C" __global__ void __launch_bounds__(kWarps* kWarpSize)
    topk_select(const Score* __restrict__ scores, int* __restrict__ ids, Score* __restrict__ values,
                int tokens) {
  __shared__ Shared shared;
  const int token = static_cast<int>(blockIdx.x), warp = warp_id(), lane = lane_id();
  const Score* const row = scores + static_cast<i64>(token) * kExperts;
  const Score* const part = row + warp * kPart;

  ScoreVectors<Score, Select> vectors;
  vectors.load(part);
  float mine[Select::kPerLane];
  vectors.unpack(mine);
  const int length =
      Select::collect<sizeof(Score) == 2>(mine, Select::existing(lane), shared.lists[warp]);
  __syncwarp();
  const int local = lane < length ? Select::entry_expert(shared.lists[warp][lane]) : 0;
  const int place =
      Select::rank(lane < length, to_float(part[local]), local, length, shared.keys[warp]);
  if (lane < length && place < kTopK) shared.best[warp * kTopK + place] = warp * kPart + local;
  __syncthreads();

  if (warp == 0) {
    const bool exists = lane < kWarps * kTopK;
    const int expert = exists ? shared.best[lane] : 0;
    const Score value = row[expert];
    const int rank = Select::rank(exists, to_float(value), expert, kWarps * kTopK, shared.keys[0]);
    if (exists && rank < kTopK) {
      const i64 at = static_cast<i64>(token) * kTopK + rank;
      ids[at] = expert;
      values[at] = value;
    }
  }
}
