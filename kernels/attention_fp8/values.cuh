// The choices that follow from V's type: how probabilities are packed for the product with V, which
// key a column of scores stands for, and how V's tiles lie in shared memory.
//
// Sums of mma and wgmma leave two neighbouring columns of a row in a lane: column 8*n + 2*q + b,
// with q = lane % 4 and b = 0, 1, for all n. The product with V takes probabilities as its left
// operand from registers, which for 16-bit elements is the same order. For 8-bit elements it is
// not: a word there is positions 16*m + 4*q to 16*m + 4*q + 3, four in a row. No exchange between
// lanes mends that. Instead the keys are numbered so that a lane's columns are neighbours: columns
// 8*m + 2*q + b and T/2 + 8*m + 2*q + b of a tile of T keys are the keys 16*m + 4*q + b and 16*m +
// 4*q + 2 + b. So row h*T/2 + 2*y + b of a tile of K is key 4*y + 2*h + b, which a tensor map with
// axes h, y and b reads at no cost, and V keeps its order.
#pragma once

#include "mbarrier.cuh"
#include "operands.cuh"
#include "packet.cuh"
#include "tma.cuh"
#include "types.cuh"
#include "wgmma_operand.cuh"

// Storage only, as bf16 of types.cuh is.
struct e4m3 {
  u8 bits;
};

// Four floats to a word, the first in the lowest byte, each rounded to nearest even; what exceeds
// 448 becomes that, a NaN stays one. Two instructions, the second of which keeps the first's half.
__device__ __forceinline__ u32 pack_four(float a, float b, float c, float d) {
  u16 low, high;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(b), "f"(a));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(high) : "f"(d), "f"(c));
  u32 word;
  asm("mov.b32 %0, {%1, %2};" : "=r"(word) : "h"(low), "h"(high));
  return word;
}

// A tile of kKeys keys of V with elements of type Value and kD columns.
template <typename Value, int kKeys, int kD>
struct ValueTile;

// V as it is: rows are keys. Panels of 64 columns, 128 bytes; the product takes it transposed.
template <int kKeys, int kD>
struct ValueTile<bf16, kKeys, kD> {
  static constexpr Operand kOperand = Operand::bf16;
  static constexpr bool kTransposed = true;
  static constexpr int kWidth = 1;  // extent of the axes h and b in the map of K
  static constexpr int kStepKeys = 16, kSteps = kKeys / kStepKeys;  // of one instruction
  static constexpr u32 kBytes = kKeys * kD * 2;
  // Probabilities are at most 2^kHeadroom; bf16 has the exponents of f32, so they need none.
  static constexpr int kHeadroom = 0;

  // The key of column 8*n of a tile, and what a lane adds to it.
  __device__ __forceinline__ static constexpr int block_key(int n) { return 8 * n; }
  __device__ __forceinline__ static int lane_key(int lane) { return 2 * (lane % 4); }

  template <typename At>
  __device__ __forceinline__ static void pack(const At& at, u32 (&words)[kSteps][4]) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int n = 2 * step + i / 2, column = 2 * (i % 2);
        words[step][i] = pack_pair<bf16>(at(n, column), at(n, column + 1));
      }
    }
  }
  __device__ __forceinline__ static u64 descriptor(u32 tile, int step) {
    return advance_descriptor(transposed_tile_descriptor(tile, kKeys, 0),
                              static_cast<u32>(step * kStepKeys * 128));
  }
  __device__ __forceinline__ static void load(u8* to, const TensorMap& map, int first_key, int head,
                                              Mbarrier& barrier) {
    tma_load_4d(to, map, 0, first_key, 0, head, barrier);
  }
};

// V transposed: rows are columns of V, since the tensor cores take 8-bit operands along what is
// summed over only. Panels of kSpan keys.
template <int kKeys, int kD>
struct ValueTile<e4m3, kKeys, kD> {
  static_assert(kKeys % 32 == 0);
  static constexpr Operand kOperand = Operand::e4m3;
  static constexpr bool kTransposed = false;
  static constexpr int kWidth = 2;
  static constexpr int kStepKeys = 32, kSteps = kKeys / kStepKeys;
  static constexpr u32 kBytes = kKeys * kD;
  static constexpr int kSpan = kKeys % 128 == 0 ? 128 : kKeys % 64 == 0 ? 64 : 32;
  // e4m3 ends at 448 and has its smallest steps, 2^-9, below 2^-6: the largest probability is made
  // 2^8, so that those of 2^-14 still have all of their bits and those of 2^-17 one.
  static constexpr int kHeadroom = 8;

  __device__ __forceinline__ static constexpr int block_key(int n) {
    return n < kKeys / 16 ? 16 * n : 16 * (n - kKeys / 16) + 2;
  }
  __device__ __forceinline__ static int lane_key(int lane) { return 4 * (lane % 4); }

  template <typename At>
  __device__ __forceinline__ static void pack(const At& at, u32 (&words)[kSteps][4]) {
    constexpr int kHalf = kKeys / 16;  // blocks of eight columns
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int n = 2 * step + i / 2, column = 2 * (i % 2);
        words[step][i] = pack_four(at(n, column), at(n, column + 1), at(n + kHalf, column),
                                   at(n + kHalf, column + 1));
      }
    }
  }
  __device__ __forceinline__ static u64 descriptor(u32 tile, int step) {
    return panel_descriptor<kSpan>(tile, kD, step);
  }
  __device__ __forceinline__ static void load(u8* to, const TensorMap& map, int first_key, int head,
                                              Mbarrier& barrier) {
#pragma unroll
    for (int panel = 0; panel < kKeys / kSpan; ++panel)
      tma_load_4d(to + panel * kSpan * kD, map, first_key + panel * kSpan, 0, 0, head, barrier);
  }
};
