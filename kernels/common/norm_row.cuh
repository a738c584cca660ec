// One thread's share of a row that is normalised, in registers: what layernorm and l2norm have in
// common beyond residual_row.cuh, and the mean and variance of a row from one reading of it.
//
// Packets are owned as in residual_row.cuh: first, first + Stride, ..., Count of them; those from
// `packets` on do not exist.
//
// Moments. E[x^2] - E[x]^2 cancels where the mean is large compared with the deviation: at 1e4 and
// 1 an f32 has no digit of the variance left. Here every group of lanes takes distances from a
// pivot, which is the mean of the first elements of its first lane, eight or more, and so is near
// all of them: x - pivot is exact for values within a factor of two of it. Sums of distances and of
// their squares go through one butterfly, and squares - sum * mean cancels by no more than an
// eighth of the number n of elements: the mean of some of n numbers lies, by the inequality of
// Cauchy and Schwarz, at most sqrt(n / some) deviations from the mean of all. That holds for any
// values, an outlier in the pivot included. With 16 elements a lane it is a factor of 64, or 4e-6
// of the variance at worst. The mean is never written down as one f32, whose last place may be
// larger than what is asked of it: it stays a pivot and a distance.
//
// Warps combine theirs in the same way, with the mean of the first as pivot. So a block needs one
// barrier, where the two passes of the textbook take two.
#pragma once

#include "packet.cuh"
#include "residual_row.cuh"
#include "types.cuh"
#include "warp.cuh"

// The inputs as loaded: x, and with a residual r.
template <typename T, int Bytes, int Count, int Stride, bool kResidual>
struct RowInputs : ResidualInputs<T, Bytes, Count, Stride> {};

template <typename T, int Bytes, int Count, int Stride>
struct RowInputs<T, Bytes, Count, Stride, false> {
  Packet<T, Bytes> x[Count];

  // The second row is not there, and not touched.
  template <Hint Policy>
  __device__ __forceinline__ void load(const T* __restrict__ x_row, const T*, int first,
                                       int packets) {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      x[k] = Packet<T, Bytes>::template load_if<Policy>(packet < packets, x_row, packet);
    }
  }

  __device__ __forceinline__ void load_kept(const T* __restrict__ x_row, const T*, int first,
                                            int packets) {
    const u64 policy = keep_policy();
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      x[k] = load_kept_if<T, Bytes>(packet < packets, x_row, packet, policy);
    }
  }
};

// Some elements of a row: how many they are, a number near them, how far their mean is from it, and
// the sum of the squares of their distances from the mean.
struct alignas(16) Moments {
  float pivot, mean, squares, count;
};

// Both sums over aligned groups of kLanes lanes. One loop, because the exchanges of one sum fill
// the time in which those of the other are under way.
template <int kLanes>
__device__ __forceinline__ void warp_sum_both(float& a, float& b) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    const float other_a = __shfl_xor_sync(kFullMask, a, distance);
    const float other_b = __shfl_xor_sync(kFullMask, b, distance);
    a += other_a;
    b += other_b;
  }
}

// 1 / count, and something finite for a group that holds nothing.
__device__ __forceinline__ float inverse_count(float count) {
  return reciprocal_approx(fmaxf(count, 1.0f));
}

// The values in f32; z = x + r is what ResidualSums has and stores.
template <typename T, int Bytes, int Count, int Stride>
struct RowValues : ResidualSums<T, Bytes, Count, Stride> {
  using ResidualSums<T, Bytes, Count, Stride>::kElements;
  using ResidualSums<T, Bytes, Count, Stride>::values;

  __device__ __forceinline__ void take(const RowInputs<T, Bytes, Count, Stride, true>& inputs) {
    this->add(inputs);
  }
  __device__ __forceinline__ void take(const RowInputs<T, Bytes, Count, Stride, false>& inputs) {
#pragma unroll
    for (int k = 0; k < Count; ++k) inputs.x[k].unpack(values[k]);
  }

  // This thread's part of the sum of squares, in the order of ResidualSums::add().
  [[nodiscard]] __device__ __forceinline__ float squares() const {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < Count; ++k) {
#pragma unroll
      for (int i = 0; i < kElements; ++i) sum += values[k][i] * values[k][i];
    }
    return sum;
  }

  // How many elements of a row of `packets` packets `lanes` neighbours hold in the first kCount
  // packets of each; the first of them owns packet `first`. Needs no data, so it is known before
  // loads arrive.
  template <int kCount>
  [[nodiscard]] __device__ __forceinline__ static float held(int first, int lanes, int packets) {
    int count = 0;
#pragma unroll
    for (int k = 0; k < kCount; ++k) count += max(0, min(packets - first - k * Stride, lanes));
    return static_cast<float>(count * kElements);
  }

  // The moments of what an aligned group of kLanes lanes holds, the same in all of them. Values are
  // their distances from the pivot afterwards. Called by whole warps; `first` is the lane's own
  // first packet.
  template <int kLanes>
  [[nodiscard]] __device__ __forceinline__ Moments take_moments(int first, int packets) {
    // Eight elements are a pivot, or what there is.
    constexpr int kWanted = kElements < 8 ? 8 / kElements : 1;
    constexpr int kPivotPackets = kWanted < Count ? kWanted : Count;
    const int place = lane_id() % kLanes, first_of_group = first - place;
    const float count = held<Count>(first_of_group, kLanes, packets);

    // Packets that do not exist are zero and add nothing.
    float total = 0.0f;
#pragma unroll
    for (int k = 0; k < kPivotPackets; ++k) {
      float parts[2] = {0.0f, 0.0f};  // two chains: every thread of the row waits for their end
#pragma unroll
      for (int i = 0; i < kElements; ++i) parts[i % 2] += values[k][i];
      total += parts[0] + parts[1];
    }
    // The total of a single packet that does not exist is 0, whatever the divisor.
    const float inverse = kPivotPackets == 1
                              ? 1.0f / kElements
                              : inverse_count(held<kPivotPackets>(first_of_group, 1, packets));
    const float pivot = __shfl_sync(kFullMask, total, lane_id() - place) * inverse;

    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const float shift = first + k * Stride < packets ? pivot : 0.0f;  // zeros stay zeros
      float sums[2] = {0.0f, 0.0f}, parts[2] = {0.0f, 0.0f};
#pragma unroll
      for (int i = 0; i < kElements; ++i) {
        values[k][i] -= shift;
        sums[i % 2] += values[k][i];
        parts[i % 2] += values[k][i] * values[k][i];
      }
      sum += sums[0] + sums[1];
      squares += parts[0] + parts[1];
    }
    warp_sum_both<kLanes>(sum, squares);
    const float mean = sum * inverse_count(count);
    return {pivot, mean, squares - sum * mean, count};
  }

  // y = value * scale.
  template <Hint Policy>
  __device__ __forceinline__ void store_times(T* __restrict__ y_row, float scale, int first,
                                              int packets) const {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      float scaled[kElements];
#pragma unroll
      for (int i = 0; i < kElements; ++i) scaled[i] = values[k][i] * scale;
      Packet<T, Bytes>::pack(scaled).template store_if<Policy>(packet < packets, y_row, packet);
    }
  }

  // y = (value - mean) * scale * w + b after take_moments(): `distance` is that of the row's mean
  // from the pivot that values are distances from. Two operations an element.
  template <Hint Policy>
  __device__ __forceinline__ void store_normalized(T* __restrict__ y_row, float distance,
                                                   float scale,
                                                   const RowWeights<T, Bytes, Count, Stride>& w,
                                                   const RowWeights<T, Bytes, Count, Stride>& b,
                                                   int first, int packets) const {
    const float offset = -distance * scale;
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      float weights[kElements], results[kElements];
      w.w[k].unpack(weights);
      b.w[k].unpack(results);
#pragma unroll
      for (int i = 0; i < kElements; ++i)
        results[i] = fmaf(fmaf(values[k][i], scale, offset), weights[i], results[i]);
      Packet<T, Bytes>::pack(results).template store_if<Policy>(packet < packets, y_row, packet);
    }
  }
};

// The smallest power of two that is not below n.
__device__ constexpr int power_of_two_from(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

// The moments of a row from those of kWarps warps in shared memory, the same in every lane of every
// warp that calls it. `inverse_d` is 1 / the row's length.
template <int kWarps>
[[nodiscard]] __device__ __forceinline__ Moments combine(const Moments* warps, float inverse_d) {
  constexpr int kLanes = power_of_two_from(kWarps);
  static_assert(kLanes <= kWarpSize);
  if constexpr (kWarps == 1) return warps[0];
  const int place = lane_id() % kLanes;
  Moments own{0.0f, 0.0f, 0.0f, 0.0f};
  if (place < kWarps) own = warps[place];
  const Moments& first = warps[0];
  const float pivot = first.pivot + first.mean;
  const float distance = (own.pivot - pivot) + own.mean;
  float sum = own.count * distance;  // 0 for a warp without elements
  float squares = own.squares + sum * distance;
  warp_sum_both<kLanes>(sum, squares);
  const float mean = sum * inverse_d;
  return {pivot, mean, squares - sum * mean, 0.0f};
}

// 1 / sqrt(variance + eps). A row of equal elements may have squares that are a rounding below 0.
__device__ __forceinline__ float inverse_deviation(const Moments& row, float inverse_d, float eps) {
  return rsqrtf(fmaxf(row.squares * inverse_d, 0.0f) + eps);
}
