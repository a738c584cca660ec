// The product of a router for few tokens: sums[experts x tokens] of a block over its part of the
// hidden dimension, by mma.sync from operands that come from global memory as fragments.
//
// A lane reads 16 bytes of a row: two steps of mma want 4 words of it, and which words those are
// does not matter as long as both operands agree. So nothing passes through shared memory, and a
// warp's first kAhead units of 64 bytes a row are in flight together, before the first product.
#pragma once

#include "mma.cuh"
#include "types.cuh"
#include "warp.cuh"

// Volatile, or ptxas moves loads down between the products that use them, to save registers: what
// counts here is that all of them are in flight before the first product.
__device__ __forceinline__ uint4 read_piece(bool exists, const bf16* __restrict__ from) {
  uint4 piece;
  asm volatile(
      "{\n\t.reg .pred exists;\n\tsetp.ne.b32 exists, %5, 0;\n\t"
      "mov.b32 %0, 0;\n\tmov.b32 %1, 0;\n\tmov.b32 %2, 0;\n\tmov.b32 %3, 0;\n\t"
      "@exists ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"
      : "=&r"(piece.x), "=&r"(piece.y), "=&r"(piece.z), "=&r"(piece.w)
      : "l"(__cvta_generic_to_global(from)), "r"(static_cast<int>(exists)));
  return piece;
}

// kSumWarps warps of a block divide its part of the hidden dimension, kTokenWarps its tokens.
template <int kExperts, int kHidden, int kTileExperts, int kTileTokens, int kSplits, int kSumWarps,
          int kTokenWarps, int kMostAhead>
struct DecodeProduct {
  static constexpr int kWarpTokens = kTileTokens / kTokenWarps;
  static constexpr int kM = kTileExperts / 16, kN = kWarpTokens / 8;  // that cover a warp's sums
  static constexpr int kAllUnits = kHidden / 32;
  static constexpr int kUnits =
      (kAllUnits + kSplits * kSumWarps - 1) / (kSplits * kSumWarps);  // of a warp
  static constexpr int kAhead = kMostAhead < kUnits ? kMostAhead : kUnits;
  // Neighbouring tokens, 2 of each quad, are 8 banks apart.
  static constexpr int kSumStride = kTileExperts + 4;
  static constexpr int kThreads = kSumWarps * kTokenWarps * kWarpSize;
  static constexpr int kColumns = kTileExperts / 4;

  using Sums = float[kSumWarps][kTileTokens][kSumStride];  // in shared memory, aligned to 16

  // 64 bytes of each row of a warp's operands, lane by lane.
  struct Unit {
    uint4 experts[kM][2];
    uint4 tokens[kN];
  };

  const bf16* __restrict__ hidden;
  const bf16* __restrict__ gate;
  int first_expert, first_token, tokens;  // of the warp; of all

  // The lane's addresses in the first unit of its warp: everything else lies at a constant
  // distance, so that a load is one instruction. A cold launch fetches its code from DRAM, eight
  // instructions in some 60 ns, so the last load should be issued early.
  struct From {
    const bf16* experts;
    const bf16* tokens;
    int unit;
  };
  __device__ __forceinline__ From from(int first_unit) const {
    const int group = lane_id() / 4, column = first_unit * 32 + lane_id() % 4 * 8;
    return {gate + static_cast<i64>(first_expert + group) * kHidden + column,
            hidden + static_cast<i64>(first_token + group) * kHidden + column, first_unit};
  }

  __device__ __forceinline__ void load(Unit& to, const From& from, int units) const {
    const int group = lane_id() / 4;
    const bool inside = kUnits * kSumWarps * kSplits == kAllUnits || from.unit + units < kAllUnits;
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = 16 * m + 8 * half;
        const bool exists = kExperts % kTileExperts == 0 || first_expert + row + group < kExperts;
        to.experts[m][half] =
            read_piece(inside && exists, from.experts + row * kHidden + units * 32);
      }
    }
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      const int row = 8 * n;
      to.tokens[n] = read_piece(inside && first_token + row + group < tokens,
                                from.tokens + row * kHidden + units * 32);
    }
  }

  static __device__ __forceinline__ void multiply(float (&sums)[kM][kN][4], const Unit& unit) {
#pragma unroll
    for (int m = 0; m < kM; ++m) {
      const uint4 low = unit.experts[m][0], high = unit.experts[m][1];
      const u32 first[4] = {low.x, high.x, low.y, high.y};
      const u32 second[4] = {low.z, high.z, low.w, high.w};
#pragma unroll
      for (int n = 0; n < kN; ++n) {
        const u32 left[2] = {unit.tokens[n].x, unit.tokens[n].y};
        const u32 right[2] = {unit.tokens[n].z, unit.tokens[n].w};
        mma<Operand::bf16>(sums[m][n], first, left);
        mma<Operand::bf16>(sums[m][n], second, right);
      }
    }
  }

  // The warp's sums over its units, to its place in `all`.
  __device__ __forceinline__ void run(int split, int sum_warp, int token_warp, Sums& all) const {
    // Units of a block lie together: a row of its part is a run of bytes.
    const int first_unit = split * (kSumWarps * kUnits) + sum_warp, lane = lane_id();
    const From first = from(first_unit);
    Unit units[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) load(units[i], first, i * kSumWarps);
    float sums[kM][kN][4] = {};
#pragma unroll 1
    for (int i = 0; i < kUnits; i += kAhead) {
#pragma unroll
      for (int j = 0; j < kAhead; ++j) {
        if (i + j < kUnits) multiply(sums, units[j]);
        if (i + j + kAhead < kUnits) load(units[j], first, (i + j + kAhead) * kSumWarps);
      }
    }
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int n = 0; n < kN; ++n) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          all[sum_warp][token_warp * kWarpTokens + 8 * n + 2 * (lane % 4) + i % 2]
             [16 * m + lane / 4 + 8 * (i / 2)] = sums[m][n][i];
      }
    }
  }

  // The block's sums, after a barrier: store(token, column, sum) gets those of four experts, all of
  // them for one call in order of the warps.
  template <class Store>
  static __device__ __forceinline__ void finish(const Sums& all, int tile_tokens, Store store) {
    for (int i = static_cast<int>(threadIdx.x); i < tile_tokens * kColumns; i += kThreads) {
      const int token = i / kColumns, column = i % kColumns * 4;
      float4 sum = *reinterpret_cast<const float4*>(&all[0][token][column]);
#pragma unroll
      for (int w = 1; w < kSumWarps; ++w) {
        const float4 more = *reinterpret_cast<const float4*>(&all[w][token][column]);
        sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
      }
      store(token, column, sum);
    }
  }
};
