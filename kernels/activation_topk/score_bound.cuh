// Which of a token's experts may be among the k best of f(x) + b, f(x) = sqrt(softplus(x)), without
// an activation of each: a multiplication and addition a logit instead of five instructions, three
// of them of the pipe that gives four lanes a clock.
//
// f grows, and is concave from x = 0.9214 on. With d in [0, range] for what a bias is above the
// least, an expert is known by
//   p = x + c d,   c = 1 / f'(m),   m a guess at the logit of the k-th best
// since the curve f(x) + d = t is close to a straight line p = const around m.
// 1. The k-th best of the lanes' maxima of p is a threshold that k experts reach. So k scores are
//    at least t = min over d in [0, range] of h(threshold - c d) + d, where h = min(f, a line) is
//    concave and nowhere above f: the line is a tangent at 0.9214, above f beyond that and below it
//    before. So the least is at an end, d = 0 or d = range.
// 2. The tangent at m is nowhere below f, except where x is so small that f(x) < kSmall. A score of
//    at least t therefore needs p >= m + c (t - f(m)), provided that t - range >= kSmall.
// Neither step relies on how logits are distributed: a bad guess makes the list longer, not wrong.
// With 256 normal logits of deviation 1.5, biases of deviation 0.1 and k 6 the list has 8.0 experts
// on average where the scores themselves would leave 6.5, and more than 16 once in 500 tokens
// (logits of deviation 5: 7.5; biases of 0.2: 9.4, and one token in 30 without a bound).
//
// The bounds that follow from the threshold of a token take twelve instructions for two points.
// Lanes compute them for the points of all tokens of a warp at once.
#pragma once

#include "expert_route.cuh"

template <class Select, int kTurns>
struct ScoreBound {
  static_assert(Select::kShare == kWarpSize, "reductions in hardware are of whole warps");
  static_assert(kTurns == 1 || kTurns == 2, "counts of all turns share a word");
  static constexpr int kPerLane = Select::kPerLane, kPart = kWarpSize / (2 * kTurns);
  using Row = float[kPerLane];

  // The tangents of f at kLeastGuess and beyond meet f again where it is below kSmall.
  static constexpr float kLeastGuess = 1.5f, kSmall = 0.84f;
  // The tangent where f is steepest.
  static constexpr float kSteepest = 0.3191f, kSteepestOffset = 0.82688f;
  // Within these an error of kSlack is never reached, see bounds().
  static constexpr float kMostGuess = 64, kMostThreshold = 80, kMostRange = 4, kMostBias = 64;
  static constexpr float kSlack = 1.0f / 512;

  float bias[kPerLane];  // of this lane's experts, -inf where there is none
  float least;           // of all biases
  float range;           // the most less the least; +inf where no bound is known for it

  __device__ __forceinline__ void load_bias(const float* __restrict__ from) {
    ScoreVectors<float, Select> vectors;
    vectors.load(from);
    vectors.unpack(bias);
    const int sub = Select::sub_lane();
    float most = -kInfinity;
    least = kInfinity;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
      const float low = Select::expert(sub, i) < Select::kCount ? bias[i] : kInfinity;
      least = i == 0 ? low : fminf(least, low);
      most = i == 0 ? bias[0] : fmaxf(most, bias[i]);
    }
    least = from_ordered_int(__reduce_min_sync(kFullMask, ordered_int(least)));
    most = from_ordered_int(__reduce_max_sync(kFullMask, ordered_int(most)));
    range = most - least;
    if (!(range <= kMostRange && fmaxf(-least, most) <= kMostBias)) range = kInfinity;
  }

  // Lists the candidates of the tokens of all turns, whose logits are `rows` (-inf where there is
  // no expert), or returns false: then a bound or the room of a list does not suffice, and lists
  // hold anything. `rows` become values p.
  __device__ __forceinline__ bool collect(Row (&rows)[kTurns], int* entries,
                                          int (&lengths)[kTurns]) const {
    const Line line = tangent(guess(rows));
    const float lowest = __fmul_rn(line.inverse_slope, least);
    float thresholds[kTurns];
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
#pragma unroll
      for (int i = 0; i < kPerLane; ++i)
        rows[turn][i] = __fmaf_rn(line.inverse_slope, bias[i], rows[turn][i]);
      thresholds[turn] = threshold(rows[turn], lowest);
    }
    float bound[kTurns];
    if (!bounds(thresholds, line, bound)) return false;
    u32 masks[kTurns];
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn)
      masks[turn] = above(rows[turn], __fadd_rn(bound[turn], lowest));
    return write(masks, entries, lengths);
  }

 private:
  struct Line {
    float at, value, inverse_slope;
  };

  // The best of 32 logits of a token is as good as one in 33: of 256 the eighth best.
  static __device__ __forceinline__ float guess(const Row (&rows)[kTurns]) {
    float sum = 0;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn)
      sum += __int_as_float(
          __reduce_max_sync(kFullMask, __float_as_int(fmaxf(rows[turn][0], kLeastGuess))));
    return fminf(sum * (1.0f / kTurns), kMostGuess);
  }

  // f' = 1 / ((1 + e^-x) 2 f).
  static __device__ __forceinline__ Line tangent(float at) {
    const float falling = exp2_approx(at * -kLog2E);
    const float value = rough_sqrt_softplus(at) * kRootOfLn2;
    return {at, value, 2.0f * value * (1.0f + falling)};
  }

  // At least k experts' p reach it, less `lowest`; 0 or NaN where it would be negative or there are
  // too few: no bound follows from those.
  static __device__ __forceinline__ float threshold(const Row& row, float lowest) {
    float maximum = row[0];
#pragma unroll
    for (int i = 1; i < kPerLane; ++i) maximum = fmaxf(maximum, row[i]);
    // Neither NaN nor negative, hence as an integer in the same order.
    int mine = __float_as_int(fmaxf(__fsub_rn(maximum, lowest), 0.0f)), best = 0;
#pragma unroll
    for (int round = 0; round < Select::kBest; ++round) {
      best = __reduce_max_sync(kFullMask, mine);
      mine = mine == best ? -1 : mine;  // a NaN
    }
    return __int_as_float(best);
  }

  // A lower bound of p less `lowest` for every expert in question; false without a bound.
  //
  // Errors within the limits, of which the slack is more than the sum (u = 2^-24): thresholds, p
  // and `lowest`, up to 1100 with a bias of 64, have 1100 u each. c, at most 16, multiplies the
  // rest: t, f(m) and c itself 1.2e-6 of 9 and of |t - f(m) - d| < 12, two activations that decide
  // 17 u of 9 each, their sums with biases 73 u. 30 million random cases with errors of these sizes
  // needed 0.0006 at most.
  __device__ __forceinline__ bool bounds(const float (&thresholds)[kTurns], const Line& line,
                                         float (&least)[kTurns]) const {
    const int turn = lane_id() / kPart / 2, end = lane_id() / kPart % 2;
    float mine = thresholds[0];
#pragma unroll
    for (int other = 1; other < kTurns; ++other) mine = turn == other ? thresholds[other] : mine;
    const float d = end == 0 ? 0.0f : range;
    const float x = __fmaf_rn(-line.inverse_slope, d, mine);
    float score =
        fminf(rough_sqrt_softplus(x) * kRootOfLn2, __fmaf_rn(kSteepest, x, kSteepestOffset)) + d;
    // Comparisons that fail for NaN, and for an infinite range.
    const bool known = score >= range + kSmall && x <= kMostThreshold;
    if (!__all_sync(kFullMask, known)) return false;
    score = fminf(score, __shfl_xor_sync(kFullMask, score, kPart));
    const float bound = __fmaf_rn(line.inverse_slope, score - line.value, line.at - kSlack);
#pragma unroll
    for (int other = 0; other < kTurns; ++other)
      least[other] = __shfl_sync(kFullMask, bound, other * 2 * kPart);
    return true;
  }

  // Bit i: row[i] is above the bound, and no NaN.
  static __device__ __forceinline__ u32 above(const Row& row, float bound) {
    // The sign of a difference is shifted in: two instructions where a comparison, a selection and
    // an addition would be more.
    u32 mask = 0;
#pragma unroll
    for (int i = kPerLane - 1; i >= 0; --i)
      mask = __funnelshift_l(__float_as_uint(__fsub_rn(bound, row[i])), mask, 1);
    return mask;
  }

  // Writes the entries of all masks, those of a turn to places that follow from a sum over the
  // lanes; nothing where they do not fit, which is then false.
  static __device__ __forceinline__ bool write(u32 (&masks)[kTurns], int* entries, int* lengths) {
    constexpr int kBits = 16;  // for a count of up to 1024
    u32 counts = 0;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn)
      counts += static_cast<u32>(__popc(masks[turn])) << turn * kBits;
    u32 sums = counts;
#pragma unroll
    for (int distance = 1; distance < kWarpSize; distance *= 2)
      asm volatile(
          "{ .reg .u32 other; .reg .pred there;\n"
          "shfl.sync.up.b32 other|there, %0, %1, 0, 0xffffffff;\n"
          "@there add.u32 %0, %0, other; }"
          : "+r"(sums)
          : "r"(distance));
    const u32 totals = __shfl_sync(kFullMask, sums, kWarpSize - 1);
    sums -= counts;
    // An exchange with itself, as in ExpertSelect::collect().
    const u32 start =
        __shfl_sync(kFullMask, static_cast<u32>(__cvta_generic_to_shared(entries)), lane_id());
    const int lane = __shfl_sync(kFullMask, lane_id(), lane_id());
    bool fit = true;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      lengths[turn] = static_cast<int>(part(totals, turn));
      fit &= lengths[turn] <= Select::kPlaces;
    }
    if (!fit) return false;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      u32 at = start + (static_cast<u32>(turn * Select::kPlaces) + part(sums, turn)) * 4u;
#pragma unroll 1
      for (u32 mask = masks[turn]; mask != 0; at += 4) {
        const int i = 31 - __clz(static_cast<int>(mask));
        mask ^= 1u << i;
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(Select::entry(lane, i)) : "memory");
      }
    }
    return true;
  }

  static __device__ __forceinline__ u32 part(u32 counts, int turn) {
    return kTurns == 1 ? counts : counts >> turn * 16 & 0xffffu;
  }
};
