// Top-k of the scores of experts: every score is looked at twice, a short list is ranked.
//
// Algorithm (expert_select.cuh): LANES lanes share a token and hold its scores in registers. A
// threshold that k scores reach comes from the k-th best of the lanes' maxima; the experts that
// reach it go to a list in shared memory, of which each lane then ranks one by counting who beats
// it. A warp ranks 32/SLOTS lists at once. Per token of 256 scores and k 6 that is about 110
// instructions of a warp, where six rounds of an argmax are 230.
//
// Tunables:
//   WARPS   of a block. They do not cooperate: few spread few tokens over more SMs
//   LANES   that share a token. 32 find the threshold by reductions in hardware; with 16 or 8 a
//           warp works on 2 or 4 tokens at once, which pays where a token has few experts
//   SLOTS   places of a list. Fewer share the ranking among more tokens; a list that is too short
//           is filled again by k rounds, exact and slow
//   PASSES  times 32/SLOTS tokens of a warp, one after the other
//
// Requires: k <= SLOTS <= LANES, and at most 32 scores a lane.
//
// Next idea: the loads of the next pass before the work on this one.
#include "defaults.cuh"
#include "expert_select.cuh"

using Score = DTYPE;
constexpr int kExperts = EXPERTS;
constexpr int kTopK = TOP_K;
constexpr int kWarps = WARPS;
constexpr int kPasses = PASSES;
constexpr int kVector = row_vector(kExperts, static_cast<int>(sizeof(Score)));
using Select = ExpertSelect<kExperts, kTopK, LANES, kVector, SLOTS>;
constexpr int kLists = Select::kLists;

struct alignas(16) WarpLists {
  u64 keys[kWarpSize];
  int entries[kWarpSize];
  int lengths[kLists];
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   scores  [tokens, experts] of dtype
//   ids     [tokens, k] of i32, written
//   values  [tokens, k] of dtype, written
//   tokens  rows of scores
extern "C" __global__ void __launch_bounds__(kWarps* kWarpSize)
    topk_select(const Score* __restrict__ scores, int* __restrict__ ids, Score* __restrict__ values,
                int tokens) {
  __shared__ WarpLists shared[kWarps];
  WarpLists& lists = shared[warp_id()];
  const int first = (static_cast<int>(blockIdx.x) * kWarps + warp_id()) * (kPasses * kLists);
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const int base = first + pass * kLists;
    if (base >= tokens) return;  // a whole warp, and nothing here waits for other warps

    constexpr int kTurns = kLists / Select::kTokens;
    ScoreVectors<Score, Select> vectors[kTurns];
    const int mine = lane_id() / Select::kShare;  // of the tokens of a turn
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      // Beyond the end the last token is selected again, and not stored.
      const int token = min(base + turn * Select::kTokens + mine, tokens - 1);
      vectors[turn].load(scores + static_cast<i64>(token) * kExperts);
    }
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      float row[Select::kPerLane];
      vectors[turn].unpack(row);
      const int list = turn * Select::kTokens + mine;
      const int length = Select::collect<sizeof(Score) == 2>(
          row, Select::existing(Select::sub_lane()), lists.entries + list * Select::kPlaces);
      if (Select::sub_lane() == 0) lists.lengths[list] = length;
    }
    __syncwarp();

    const int list = lane_id() / Select::kPlaces;
    const int token = base + list;
    const int length = lists.lengths[list];
    const bool exists = token < tokens && lane_id() % Select::kPlaces < length;
    const int expert = exists ? Select::entry_expert(lists.entries[lane_id()]) : 0;
    // Read again instead of carried along: the row is in L1 still.
    const Score value = scores[static_cast<i64>(min(token, tokens - 1)) * kExperts + expert];
    const int longest = __reduce_max_sync(kFullMask, length);
    const int rank = Select::rank(exists, to_float(value), expert, longest, lists.keys);
    if (exists && rank < kTopK) {
      const i64 place = static_cast<i64>(token) * kTopK + rank;
      ids[place] = expert;
      values[place] = value;
    }
    __syncwarp();  // the lists are free again
  }
}
