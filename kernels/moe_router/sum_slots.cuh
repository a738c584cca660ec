// Places through which blocks hand sums to other blocks of the same launch, in one trip through L2.
//
// Between launches all places hold zero bits. A block writes its sums to its own places, +0 as -0,
// which no later operation can tell apart. So a word that is not zero is a sum, in whatever order
// words arrive: no fence, no counter. A block that needs a sum reads all of its parts again until
// none is missing, and leaves zeros for the next launch.
#pragma once

#include "types.cuh"

// Relaxed: every word stands for itself, and is one access in the model of memory.
__device__ __forceinline__ uint4 load_slots(const float* from) {
  uint4 value;
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(__cvta_generic_to_global(from))
               : "memory");
  return value;
}

// If `really` is false nothing is stored, by the same instructions: a rehearsal must go through the
// code that it is to fetch, and a branch would pass it by.
__device__ __forceinline__ void store_slots(float* to, const uint4& value, bool really = true) {
  asm volatile(
      "{\n\t.reg .pred really;\n\tsetp.ne.b32 really, %5, 0;\n\t"
      "@really st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t}" ::"l"(
          __cvta_generic_to_global(to)),
      "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(static_cast<int>(really))
      : "memory");
}

__device__ __forceinline__ u32 filled(float sum) {
  const u32 bits = __float_as_uint(sum);
  return bits == 0 ? 0x80000000u : bits;
}
__device__ __forceinline__ void fill_slots(float* to, const float4& sum, bool really = true) {
  store_slots(to, make_uint4(filled(sum.x), filled(sum.y), filled(sum.z), filled(sum.w)), really);
}
__device__ __forceinline__ void fill_slots(float* to, float first, float second) {
  asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)),
               "r"(filled(first)), "r"(filled(second))
               : "memory");
}

// The least of the words of several places: 0 while one is missing.
template <int kParts>
__device__ __forceinline__ u32 least_word(const uint4 (&parts)[kParts]) {
  u32 all = 0xffffffffu;
#pragma unroll
  for (int s = 0; s < kParts; ++s)
    all = min(all, min(min(parts[s].x, parts[s].y), min(parts[s].z, parts[s].w)));
  return all;
}

// Which blocks choose for a tile of tokens: those that begin last. They are fewer than SMs
// (kernel.yaml), so that blocks which have not begun find room: no wait is endless.
template <int kMergeTokens>
struct Merger {
  int number, first, count;  // among the tile's, less than 0 for none; of its tokens
  __device__ __forceinline__ explicit Merger(int tile_tokens)
      : Merger(tile_tokens, static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x)) {}
  // `block` counts the tile's blocks in the order in which they begin.
  __device__ __forceinline__ Merger(int tile_tokens, int block) {
    const int mergers = (tile_tokens + kMergeTokens - 1) / kMergeTokens;
    const int blocks = static_cast<int>(gridDim.x * gridDim.y);
    number = block - (blocks - mergers);
    first = number * kMergeTokens;
    count = min(tile_tokens - first, kMergeTokens);
  }
};
