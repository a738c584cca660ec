// wgmma of one warpgroup (128 threads), Hopper's tensor core instruction, for any width: sums[64 x
// kN] (+)= a * b^T, where a has 64 rows and b kN rows of 32 bytes along k, kN a multiple of 16 up
// to 256.
//
// b comes from shared memory, a from shared memory (wgmma_ss) or from registers (wgmma_rs);
// wgmma_operand.cuh says how operands lie there and makes their descriptors. 16-bit operands may be
// transposed: with kTransposed the rows of b in memory lie along n. Attention multiplies Q by K,
// whose rows lie along k, and P by V, whose rows lie along n: d is the width there and keys are
// what is summed over.
//
// Thread t of the group holds sums[i], i = 0 ... kN/2 - 1, of row 16*(t/32) + (t%32)/4 + 8*(i/2 %
// 2) and column 8*(i/4) + 2*(t%4) + i%2 (PTX ISA, "Register fragments for wgmma"). wgmma_rs takes a
// in the same order: with s = the sums of columns 16*k to 16*k + 15, a = pairs of {s[0], s[1]},
// {s[2], s[3]}, {s[4], s[5]}, {s[6], s[7]}.
//
// Order of use, by all threads of the group together:
//   wgmma_publish(), a barrier of the group   after threads wrote operands to shared memory
//   wgmma_fence()                             before the first instruction after the sums or the
//                                             registers of a were touched
//   wgmma_ss(...), wgmma_rs(...)              as often as wanted: asynchronous, the sums and the
//                                             registers of a must not be touched
//   wgmma_commit()                            ends a group of them
//   wgmma_wait<n>()                           until at most n committed groups are unfinished
//   wgmma_settle(sums)                        nothing that reads the sums moves before the wait
//
// Operands that TMA wrote need no publishing: the barrier of the copy makes them visible. Requires
// sm_90a.
#pragma once

#include "operands.cuh"

__device__ __forceinline__ void wgmma_publish() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int kUnfinished>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kUnfinished) : "memory");
}

template <int kCount>
__device__ __forceinline__ void wgmma_settle(float (&sums)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
template <int kCount>
__device__ __forceinline__ void wgmma_settle(i32 (&sums)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+r"(sums[i])::"memory");
}

// Inline assembly takes neither arrays nor packs, so every width needs its own text, which names
// each register: the sums in blocks of eight, then the operands that follow them, by number. `kind`
// is the constraint of a sum, "+f" or "+r".
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
#define WW_S(kind, i) kind(sums[i]), kind(sums[i + 1]), kind(sums[i + 2]), kind(sums[i + 3]), kind(sums[i + 4]), kind(sums[i + 5]), kind(sums[i + 6]), kind(sums[i + 7])
#define WW_SUMS_1(kind) WW_S(kind, 0)
#define WW_SUMS_2(kind) WW_SUMS_1(kind), WW_S(kind, 8)
#define WW_SUMS_3(kind) WW_SUMS_2(kind), WW_S(kind, 16)
#define WW_SUMS_4(kind) WW_SUMS_3(kind), WW_S(kind, 24)
#define WW_SUMS_5(kind) WW_SUMS_4(kind), WW_S(kind, 32)
#define WW_SUMS_6(kind) WW_SUMS_5(kind), WW_S(kind, 40)
#define WW_SUMS_7(kind) WW_SUMS_6(kind), WW_S(kind, 48)
#define WW_SUMS_8(kind) WW_SUMS_7(kind), WW_S(kind, 56)
#define WW_SUMS_9(kind) WW_SUMS_8(kind), WW_S(kind, 64)
#define WW_SUMS_10(kind) WW_SUMS_9(kind), WW_S(kind, 72)
#define WW_SUMS_11(kind) WW_SUMS_10(kind), WW_S(kind, 80)
#define WW_SUMS_12(kind) WW_SUMS_11(kind), WW_S(kind, 88)
#define WW_SUMS_13(kind) WW_SUMS_12(kind), WW_S(kind, 96)
#define WW_SUMS_14(kind) WW_SUMS_13(kind), WW_S(kind, 104)
#define WW_SUMS_15(kind) WW_SUMS_14(kind), WW_S(kind, 112)
#define WW_SUMS_16(kind) WW_SUMS_15(kind), WW_S(kind, 120)

// The predicate is scale-d: true adds to the sums, false replaces them. The signs of a and b follow
// for sums of f32, and for 16-bit operands whether they are transposed.
#define WW_SS(n, blocks, k_types, kind, a_, b_, add_, tail)                                                            \
  asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, " add_ ", 0;\n\twgmma.mma_async.sync.aligned.m64n" #n k_types  \
               " {" WW_REGISTERS_##blocks "}, " a_ ", " b_ ", add" tail ";\n\t}"                                       \
               : WW_SUMS_##blocks(kind) : "l"(a), "l"(b), "n"(kAdd), "n"(kTransposed))
#define WW_RS(n, blocks, k_types, a0_, a1_, a2_, a3_, b_, add_, tail)                                                  \
  asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, " add_ ", 0;\n\twgmma.mma_async.sync.aligned.m64n" #n k_types  \
               " {" WW_REGISTERS_##blocks "}, {" a0_ ", " a1_ ", " a2_ ", " a3_ "}, " b_ ", add" tail ";\n\t}"           \
               : WW_SUMS_##blocks("+f") : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(kAdd), "n"(kTransposed))

// The operands after the predicate; `transposed` is the number of the operand that says so.
#define WW_TAIL_16(transposed) ", 1, 1, 0, " transposed
#define WW_TAIL_FLOAT(transposed) ", 1, 1"
#define WW_TAIL_INTEGER(transposed) ""
#define WW_TAIL_REGISTERS_16(transposed) ", 1, 1, " transposed  // registers have no other order

#define WW_ALL_SS(k_types, kind, tail) \
  if constexpr (kN == 16) WW_SS(16, 1, k_types, kind, "%8", "%9", "%10", tail("%11")); \
  else if constexpr (kN == 32) WW_SS(32, 2, k_types, kind, "%16", "%17", "%18", tail("%19")); \
  else if constexpr (kN == 48) WW_SS(48, 3, k_types, kind, "%24", "%25", "%26", tail("%27")); \
  else if constexpr (kN == 64) WW_SS(64, 4, k_types, kind, "%32", "%33", "%34", tail("%35")); \
  else if constexpr (kN == 80) WW_SS(80, 5, k_types, kind, "%40", "%41", "%42", tail("%43")); \
  else if constexpr (kN == 96) WW_SS(96, 6, k_types, kind, "%48", "%49", "%50", tail("%51")); \
  else if constexpr (kN == 112) WW_SS(112, 7, k_types, kind, "%56", "%57", "%58", tail("%59")); \
  else if constexpr (kN == 128) WW_SS(128, 8, k_types, kind, "%64", "%65", "%66", tail("%67")); \
  else if constexpr (kN == 144) WW_SS(144, 9, k_types, kind, "%72", "%73", "%74", tail("%75")); \
  else if constexpr (kN == 160) WW_SS(160, 10, k_types, kind, "%80", "%81", "%82", tail("%83")); \
  else if constexpr (kN == 176) WW_SS(176, 11, k_types, kind, "%88", "%89", "%90", tail("%91")); \
  else if constexpr (kN == 192) WW_SS(192, 12, k_types, kind, "%96", "%97", "%98", tail("%99")); \
  else if constexpr (kN == 208) WW_SS(208, 13, k_types, kind, "%104", "%105", "%106", tail("%107")); \
  else if constexpr (kN == 224) WW_SS(224, 14, k_types, kind, "%112", "%113", "%114", tail("%115")); \
  else if constexpr (kN == 240) WW_SS(240, 15, k_types, kind, "%120", "%121", "%122", tail("%123")); \
  else if constexpr (kN == 256) WW_SS(256, 16, k_types, kind, "%128", "%129", "%130", tail("%131"));
#define WW_ALL_RS(k_types, tail) \
  if constexpr (kN == 16) WW_RS(16, 1, k_types, "%8", "%9", "%10", "%11", "%12", "%13", tail("%14")); \
  else if constexpr (kN == 32) WW_RS(32, 2, k_types, "%16", "%17", "%18", "%19", "%20", "%21", tail("%22")); \
  else if constexpr (kN == 48) WW_RS(48, 3, k_types, "%24", "%25", "%26", "%27", "%28", "%29", tail("%30")); \
  else if constexpr (kN == 64) WW_RS(64, 4, k_types, "%32", "%33", "%34", "%35", "%36", "%37", tail("%38")); \
  else if constexpr (kN == 80) WW_RS(80, 5, k_types, "%40", "%41", "%42", "%43", "%44", "%45", tail("%46")); \
  else if constexpr (kN == 96) WW_RS(96, 6, k_types, "%48", "%49", "%50", "%51", "%52", "%53", tail("%54")); \
  else if constexpr (kN == 112) WW_RS(112, 7, k_types, "%56", "%57", "%58", "%59", "%60", "%61", tail("%62")); \
  else if constexpr (kN == 128) WW_RS(128, 8, k_types, "%64", "%65", "%66", "%67", "%68", "%69", tail("%70")); \
  else if constexpr (kN == 144) WW_RS(144, 9, k_types, "%72", "%73", "%74", "%75", "%76", "%77", tail("%78")); \
  else if constexpr (kN == 160) WW_RS(160, 10, k_types, "%80", "%81", "%82", "%83", "%84", "%85", tail("%86")); \
  else if constexpr (kN == 176) WW_RS(176, 11, k_types, "%88", "%89", "%90", "%91", "%92", "%93", tail("%94")); \
  else if constexpr (kN == 192) WW_RS(192, 12, k_types, "%96", "%97", "%98", "%99", "%100", "%101", tail("%102")); \
  else if constexpr (kN == 208) WW_RS(208, 13, k_types, "%104", "%105", "%106", "%107", "%108", "%109", tail("%110")); \
  else if constexpr (kN == 224) WW_RS(224, 14, k_types, "%112", "%113", "%114", "%115", "%116", "%117", tail("%118")); \
  else if constexpr (kN == 240) WW_RS(240, 15, k_types, "%120", "%121", "%122", "%123", "%124", "%125", tail("%126")); \
  else if constexpr (kN == 256) WW_RS(256, 16, k_types, "%128", "%129", "%130", "%131", "%132", "%133", tail("%134"));
// clang-format on

// kAdd false discards what the sums held.
template <Operand kOperand, int kN, bool kAdd, bool kTransposed = false>
__device__ __forceinline__ void wgmma_ss(Sum32<kOperand> (&sums)[kN / 2], u64 a, u64 b) {
  static_assert(kN % 16 == 0 && kN <= 256);
  static_assert(!kTransposed || kOperand == Operand::f16 || kOperand == Operand::bf16);
  if constexpr (kOperand == Operand::f16) {
    WW_ALL_SS("k16.f32.f16.f16", "+f", WW_TAIL_16)
  } else if constexpr (kOperand == Operand::bf16) {
    WW_ALL_SS("k16.f32.bf16.bf16", "+f", WW_TAIL_16)
  } else if constexpr (kOperand == Operand::tf32) {
    WW_ALL_SS("k8.f32.tf32.tf32", "+f", WW_TAIL_FLOAT)
  } else if constexpr (kOperand == Operand::e4m3) {
    WW_ALL_SS("k32.f32.e4m3.e4m3", "+f", WW_TAIL_FLOAT)
  } else {
    WW_ALL_SS("k32.s32.s8.s8", "+r", WW_TAIL_INTEGER)
  }
}

template <Operand kOperand, int kN, bool kAdd, bool kTransposed = false>
__device__ __forceinline__ void wgmma_rs(float (&sums)[kN / 2], const u32 (&a)[4], u64 b) {
  static_assert(kN % 16 == 0 && kN <= 256);
  static_assert(kOperand == Operand::f16 || kOperand == Operand::bf16 ||
                (kOperand == Operand::e4m3 && !kTransposed));
  if constexpr (kOperand == Operand::f16) {
    WW_ALL_RS("k16.f32.f16.f16", WW_TAIL_REGISTERS_16)
  } else if constexpr (kOperand == Operand::bf16) {
    WW_ALL_RS("k16.f32.bf16.bf16", WW_TAIL_REGISTERS_16)
  } else {
    WW_ALL_RS("k32.f32.e4m3.e4m3", WW_TAIL_FLOAT)
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
#undef WW_REGISTERS_2
#undef WW_REGISTERS_3
#undef WW_REGISTERS_4
#undef WW_REGISTERS_5
#undef WW_REGISTERS_6
#undef WW_REGISTERS_7
#undef WW_REGISTERS_8
#undef WW_REGISTERS_9
#undef WW_REGISTERS_10
#undef WW_REGISTERS_11
#undef WW_REGISTERS_12
#undef WW_REGISTERS_13
#undef WW_REGISTERS_14
#undef WW_REGISTERS_15
#undef WW_REGISTERS_16
#undef WW_S
#undef WW_SUMS_1
#undef WW_SUMS_2
#undef WW_SUMS_3
#undef WW_SUMS_4
#undef WW_SUMS_5
#undef WW_SUMS_6
#undef WW_SUMS_7
#undef WW_SUMS_8
#undef WW_SUMS_9
#undef WW_SUMS_10
#undef WW_SUMS_11
#undef WW_SUMS_12
#undef WW_SUMS_13
#undef WW_SUMS_14
#undef WW_SUMS_15
#undef WW_SUMS_16
#undef WW_SS
#undef WW_RS
#undef WW_TAIL_16
#undef WW_TAIL_FLOAT
#undef WW_TAIL_INTEGER
#undef WW_TAIL_REGISTERS_16
#undef WW_ALL_SS
#undef WW_ALL_RS
