// wgmma on 16-bit operands for any width: sums[64 x kN] (+)= a[64 x 16] * b[kN x 16]^T by one warpgroup, kN a multiple of 16.
//
// a comes from shared memory (wgmma_ss) or from registers (wgmma_rs), b from shared memory, with its rows along k or, if
// kTransposed, with the rows along n: attention multiplies Q by K, whose rows are d long, and P by V, whose rows are
// d long as well while k counts keys.
//
// Tiles are what tensor maps with 64 elements and a swizzle of 128 bytes leave: panels of [rows][128 bytes] one after the
// other, each from a multiple of 1024 on. Sums lie as in wgmma.cuh: thread t of the group holds sums[i] of row
// 16*(t/32) + (t%32)/4 + 8*(i/2 % 2), column 8*(i/4) + 2*(t%4) + i%2. That is also how wgmma_rs wants a: with s = the
// sums of columns 16*k to 16*k + 15, a = pairs of {s[0], s[1]}, {s[2], s[3]}, {s[4], s[5]}, {s[6], s[7]}.
// The order of use is wgmma.cuh's; the registers of a must not change before wgmma_wait either. Requires sm_90a.
#pragma once

#include "wgmma.cuh"

// Of 16 columns along k, from column 16*step of a tile whose rows lie along k: panel (16*step)/64, 32 bytes into its rows.
__device__ __forceinline__ u64 tile_descriptor(u32 tile, int rows, int step) {
  const u32 address = tile + static_cast<u32>(step / 4 * rows * 128 + step % 4 * 32);
  return (address >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// Of 16 rows from row 16*step on, of a tile whose rows lie along n (kTransposed): the stride offset leads to the next eight
// rows, the leading offset to the next panel, which holds the next 64 columns.
__device__ __forceinline__ u64 transposed_tile_descriptor(u32 tile, int rows, int step) {
  const u32 address = tile + static_cast<u32>(step * 16 * 128);
  return (address >> 4 & 0x3fff) | static_cast<u64>(rows * 8) << 16 | 64ull << 32 | 1ull << 62;
}

template <int kCount>
__device__ __forceinline__ void wgmma_settle_sums(float (&sums)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

// clang-format off

#define WW_R0 "%0, %1, %2, %3, %4, %5, %6, %7"
#define WW_R1 "%8, %9, %10, %11, %12, %13, %14, %15"
#define WW_R2 "%16, %17, %18, %19, %20, %21, %22, %23"
#define WW_R3 "%24, %25, %26, %27, %28, %29, %30, %31"
#define WW_R4 "%32, %33, %34, %35, %36, %37, %38, %39"
#define WW_R5 "%40, %41, %42, %43, %44, %45, %46, %47"
#define WW_R6 "%48, %49, %50, %51, %52, %53, %54, %55"
#define WW_R7 "%56, %57, %58, %59, %60, %61, %62, %63"
#define WW_R8 "%64, %65, %66, %67, %68, %69, %70, %71"
#define WW_R9 "%72, %73, %74, %75, %76, %77, %78, %79"
#define WW_R10 "%80, %81, %82, %83, %84, %85, %86, %87"
#define WW_R11 "%88, %89, %90, %91, %92, %93, %94, %95"
#define WW_R12 "%96, %97, %98, %99, %100, %101, %102, %103"
#define WW_R13 "%104, %105, %106, %107, %108, %109, %110, %111"
#define WW_R14 "%112, %113, %114, %115, %116, %117, %118, %119"
#define WW_R15 "%120, %121, %122, %123, %124, %125, %126, %127"
#define WW_REGISTERS_1 WW_R0
#define WW_REGISTERS_2 WW_REGISTERS_1 ", " WW_R1
#define WW_REGISTERS_3 WW_REGISTERS_2 ", " WW_R2
#define WW_REGISTERS_4 WW_REGISTERS_3 ", " WW_R3
#define WW_REGISTERS_5 WW_REGISTERS_4 ", " WW_R4
#define WW_REGISTERS_6 WW_REGISTERS_5 ", " WW_R5
#define WW_REGISTERS_7 WW_REGISTERS_6 ", " WW_R6
#define WW_REGISTERS_8 WW_REGISTERS_7 ", " WW_R7
#define WW_REGISTERS_9 WW_REGISTERS_8 ", " WW_R8
#define WW_REGISTERS_10 WW_REGISTERS_9 ", " WW_R9
#define WW_REGISTERS_11 WW_REGISTERS_10 ", " WW_R10
#define WW_REGISTERS_12 WW_REGISTERS_11 ", " WW_R11
#define WW_REGISTERS_13 WW_REGISTERS_12 ", " WW_R12
#define WW_REGISTERS_14 WW_REGISTERS_13 ", " WW_R13
#define WW_REGISTERS_15 WW_REGISTERS_14 ", " WW_R14
#define WW_REGISTERS_16 WW_REGISTERS_15 ", " WW_R15
#define WW_SUMS_1 WW_S(0)
#define WW_S(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), "+f"(sums[i + 4]), "+f"(sums[i + 5]), "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define WW_SUMS_2 WW_SUMS_1, WW_S(8)
#define WW_SUMS_3 WW_SUMS_2, WW_S(16)
#define WW_SUMS_4 WW_SUMS_3, WW_S(24)
#define WW_SUMS_5 WW_SUMS_4, WW_S(32)
#define WW_SUMS_6 WW_SUMS_5, WW_S(40)
#define WW_SUMS_7 WW_SUMS_6, WW_S(48)
#define WW_SUMS_8 WW_SUMS_7, WW_S(56)
#define WW_SUMS_9 WW_SUMS_8, WW_S(64)
#define WW_SUMS_10 WW_SUMS_9, WW_S(72)
#define WW_SUMS_11 WW_SUMS_10, WW_S(80)
#define WW_SUMS_12 WW_SUMS_11, WW_S(88)
#define WW_SUMS_13 WW_SUMS_12, WW_S(96)
#define WW_SUMS_14 WW_SUMS_13, WW_S(104)
#define WW_SUMS_15 WW_SUMS_14, WW_S(112)
#define WW_SUMS_16 WW_SUMS_15, WW_S(120)

// Of width n in blocks of eight registers; the operands behind the sums are named by their numbers.
#define WW_SS(n, blocks, types, a_, b_, add_, transposed_)                                                             \
  asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, " add_ ", 0;\n\twgmma.mma_async.sync.aligned.m64n" #n "k16" types \
               " {" WW_REGISTERS_##blocks "}, " a_ ", " b_ ", add, 1, 1, 0, " transposed_ ";\n\t}"                      \
               : WW_SUMS_##blocks : "l"(a), "l"(b), "n"(kAdd), "n"(kTransposed))
#define WW_RS(n, blocks, types, a0_, a1_, a2_, a3_, b_, add_, transposed_)                                             \
  asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, " add_ ", 0;\n\twgmma.mma_async.sync.aligned.m64n" #n "k16" types \
               " {" WW_REGISTERS_##blocks "}, {" a0_ ", " a1_ ", " a2_ ", " a3_ "}, " b_ ", add, 1, 1, " transposed_     \
               ";\n\t}"                                                                                                \
               : WW_SUMS_##blocks : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(kAdd), "n"(kTransposed))

#define WW_ALL_SS(types) \
  if constexpr (kN == 16) WW_SS(16, 1, types, "%8", "%9", "%10", "%11"); \
  else if constexpr (kN == 32) WW_SS(32, 2, types, "%16", "%17", "%18", "%19"); \
  else if constexpr (kN == 48) WW_SS(48, 3, types, "%24", "%25", "%26", "%27"); \
  else if constexpr (kN == 64) WW_SS(64, 4, types, "%32", "%33", "%34", "%35"); \
  else if constexpr (kN == 80) WW_SS(80, 5, types, "%40", "%41", "%42", "%43"); \
  else if constexpr (kN == 96) WW_SS(96, 6, types, "%48", "%49", "%50", "%51"); \
  else if constexpr (kN == 112) WW_SS(112, 7, types, "%56", "%57", "%58", "%59"); \
  else if constexpr (kN == 128) WW_SS(128, 8, types, "%64", "%65", "%66", "%67"); \
  else if constexpr (kN == 144) WW_SS(144, 9, types, "%72", "%73", "%74", "%75"); \
  else if constexpr (kN == 160) WW_SS(160, 10, types, "%80", "%81", "%82", "%83"); \
  else if constexpr (kN == 176) WW_SS(176, 11, types, "%88", "%89", "%90", "%91"); \
  else if constexpr (kN == 192) WW_SS(192, 12, types, "%96", "%97", "%98", "%99"); \
  else if constexpr (kN == 208) WW_SS(208, 13, types, "%104", "%105", "%106", "%107"); \
  else if constexpr (kN == 224) WW_SS(224, 14, types, "%112", "%113", "%114", "%115"); \
  else if constexpr (kN == 240) WW_SS(240, 15, types, "%120", "%121", "%122", "%123"); \
  else if constexpr (kN == 256) WW_SS(256, 16, types, "%128", "%129", "%130", "%131");
#define WW_ALL_RS(types) \
  if constexpr (kN == 16) WW_RS(16, 1, types, "%8", "%9", "%10", "%11", "%12", "%13", "%14"); \
  else if constexpr (kN == 32) WW_RS(32, 2, types, "%16", "%17", "%18", "%19", "%20", "%21", "%22"); \
  else if constexpr (kN == 48) WW_RS(48, 3, types, "%24", "%25", "%26", "%27", "%28", "%29", "%30"); \
  else if constexpr (kN == 64) WW_RS(64, 4, types, "%32", "%33", "%34", "%35", "%36", "%37", "%38"); \
  else if constexpr (kN == 80) WW_RS(80, 5, types, "%40", "%41", "%42", "%43", "%44", "%45", "%46"); \
  else if constexpr (kN == 96) WW_RS(96, 6, types, "%48", "%49", "%50", "%51", "%52", "%53", "%54"); \
  else if constexpr (kN == 112) WW_RS(112, 7, types, "%56", "%57", "%58", "%59", "%60", "%61", "%62"); \
  else if constexpr (kN == 128) WW_RS(128, 8, types, "%64", "%65", "%66", "%67", "%68", "%69", "%70"); \
  else if constexpr (kN == 144) WW_RS(144, 9, types, "%72", "%73", "%74", "%75", "%76", "%77", "%78"); \
  else if constexpr (kN == 160) WW_RS(160, 10, types, "%80", "%81", "%82", "%83", "%84", "%85", "%86"); \
  else if constexpr (kN == 176) WW_RS(176, 11, types, "%88", "%89", "%90", "%91", "%92", "%93", "%94"); \
  else if constexpr (kN == 192) WW_RS(192, 12, types, "%96", "%97", "%98", "%99", "%100", "%101", "%102"); \
  else if constexpr (kN == 208) WW_RS(208, 13, types, "%104", "%105", "%106", "%107", "%108", "%109", "%110"); \
  else if constexpr (kN == 224) WW_RS(224, 14, types, "%112", "%113", "%114", "%115", "%116", "%117", "%118"); \
  else if constexpr (kN == 240) WW_RS(240, 15, types, "%120", "%121", "%122", "%123", "%124", "%125", "%126"); \
  else if constexpr (kN == 256) WW_RS(256, 16, types, "%128", "%129", "%130", "%131", "%132", "%133", "%134");
// clang-format on

// kAdd false forgets what the sums held.
template <Operand kOperand, int kN, bool kAdd, bool kTransposed = false>
__device__ __forceinline__ void wgmma_ss(float (&sums)[kN / 2], u64 a, u64 b) {
  static_assert(kN % 16 == 0 && kN <= 256 && (kOperand == Operand::f16 || kOperand == Operand::bf16));
  if constexpr (kOperand == Operand::f16) {
    WW_ALL_SS(".f32.f16.f16")
  } else {
    WW_ALL_SS(".f32.bf16.bf16")
  }
}

template <Operand kOperand, int kN, bool kAdd, bool kTransposed = false>
__device__ __forceinline__ void wgmma_rs(float (&sums)[kN / 2], const u32 (&a)[4], u64 b) {
  static_assert(kN % 16 == 0 && kN <= 256 && (kOperand == Operand::f16 || kOperand == Operand::bf16));
  if constexpr (kOperand == Operand::f16) {
    WW_ALL_RS(".f32.f16.f16")
  } else {
    WW_ALL_RS(".f32.bf16.bf16")
  }
}

#undef WW_R0
#undef WW_R1
#undef WW_R2
#undef WW_R3
#undef WW_R4
#undef WW_R5
#undef WW_R6
#undef WW_R7
#undef WW_R8
#undef WW_R9
#undef WW_R10
#undef WW_R11
#undef WW_R12
#undef WW_R13
#undef WW_R14
#undef WW_R15
#undef WW_REGISTERS_1
#undef WW_SUMS_1
#undef WW_REGISTERS_2
#undef WW_SUMS_2
#undef WW_REGISTERS_3
#undef WW_SUMS_3
#undef WW_REGISTERS_4
#undef WW_SUMS_4
#undef WW_REGISTERS_5
#undef WW_SUMS_5
#undef WW_REGISTERS_6
#undef WW_SUMS_6
#undef WW_REGISTERS_7
#undef WW_SUMS_7
#undef WW_REGISTERS_8
#undef WW_SUMS_8
#undef WW_REGISTERS_9
#undef WW_SUMS_9
#undef WW_REGISTERS_10
#undef WW_SUMS_10
#undef WW_REGISTERS_11
#undef WW_SUMS_11
#undef WW_REGISTERS_12
#undef WW_SUMS_12
#undef WW_REGISTERS_13
#undef WW_SUMS_13
#undef WW_REGISTERS_14
#undef WW_SUMS_14
#undef WW_REGISTERS_15
#undef WW_SUMS_15
#undef WW_REGISTERS_16
#undef WW_SUMS_16
#undef WW_S
#undef WW_SS
#undef WW_RS
#undef WW_ALL_SS
#undef WW_ALL_RS
