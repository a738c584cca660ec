// wgmma of one warpgroup (128 threads), Hopper's tensor core instruction, with both operands in shared memory:
// sums[64 x 256] (+)= a[64 x 32 bytes] * b[256 x 32 bytes]^T, rows along k.
//
// Thread t of the group holds sums[i], i = 0 ... 127, of row 16*(t/32) + (t%32)/4 + 8*(i/2 % 2) and column
// 8*(i/4) + 2*(t%4) + i%2 (PTX ISA, "Register fragments for wgmma").
//
// Order of use, by all threads of the group together:
//   write operands to shared memory, wgmma_publish(), a barrier of the group       their writes become visible to wgmma
//   wgmma_fence()                                    before the first instruction after the sums were touched
//   wgmma_256(...) as often as wanted, wgmma_commit()        asynchronous: the sums must not be touched
//   wgmma_wait<n>()                                  until at most n committed groups are unfinished
//   wgmma_settle(sums)                               nothing that reads the sums moves before the wait
// Requires sm_90a.
#pragma once

#include "operands.cuh"

// How an operand's rows lie in shared memory.
//   columns      16-byte columns one after the other, each with all rows: byte b of row r at
//                (b/16)*16*rows + 16*r + b%16
//   swizzled_128 rows of 128 bytes whose 16-byte pieces are permuted by the row's number: byte b of row r at
//                128*r + 16*((b/16) ^ (r%8)) + b%16, from a multiple of 1024 on; what TMA's 128-byte swizzle leaves
enum class Layout { columns, swizzled_128 };

template <Layout kLayout>
__device__ __forceinline__ u32 operand_offset(int row, int piece, int rows) {
  if constexpr (kLayout == Layout::columns) return static_cast<u32>(16 * (piece * rows + row));
  else return static_cast<u32>(128 * row + 16 * (piece ^ (row % 8)));
}

// The matrix descriptor of 32 bytes of every row, from 16-byte piece `piece` on (even). Fields, in units of 16 bytes:
// bits 0-13 address, 16-29 leading offset (here from one 16-byte column to the next), 32-45 stride offset (from eight
// rows to the next eight), and the swizzle in bits 62-63: 0 none, 1 of 128 bytes, whose leading offset is not used.
template <Layout kLayout>
__device__ __forceinline__ u64 operand_descriptor(u32 shared_address, int piece, int rows) {
  const u32 skip = kLayout == Layout::columns ? 16u * static_cast<u32>(piece * rows) : 16u * static_cast<u32>(piece);
  const u64 address = (shared_address + skip) >> 4;
  const u64 leading = kLayout == Layout::columns ? static_cast<u64>(rows) : 1;
  const u64 stride = kLayout == Layout::columns ? 8 : 64;
  const u64 swizzle = kLayout == Layout::columns ? 0 : 1;
  return (address & 0x3fff) | leading << 16 | stride << 32 | swizzle << 62;
}

__device__ __forceinline__ void wgmma_publish() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

template <int kUnfinished>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kUnfinished) : "memory");
}

__device__ __forceinline__ void wgmma_settle(float (&sums)[128]) {
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
__device__ __forceinline__ void wgmma_settle(i32 (&sums)[128]) {
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+r"(sums[i])::"memory");
}

// Inline assembly takes neither arrays nor packs: 128 registers by name, for either kind of sum.
#define WW_SUMS_8(kind, i)                                                                                      \
  kind(sums[i]), kind(sums[i + 1]), kind(sums[i + 2]), kind(sums[i + 3]), kind(sums[i + 4]), kind(sums[i + 5]), \
      kind(sums[i + 6]), kind(sums[i + 7])
#define WW_SUMS_32(kind, i) WW_SUMS_8(kind, i), WW_SUMS_8(kind, i + 8), WW_SUMS_8(kind, i + 16), WW_SUMS_8(kind, i + 24)
#define WW_SUMS_128(kind) WW_SUMS_32(kind, 0), WW_SUMS_32(kind, 32), WW_SUMS_32(kind, 64), WW_SUMS_32(kind, 96)
#define WW_REGISTERS_128 \
  "{" \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, " \
  ""

// The predicate is scale-d: true adds to the sums, false replaces them. Then the signs of a and b, and for 16-bit operands
// whether they are transposed.
#define WW_WGMMA(shape_and_types, kind, tail)                                                                      \
  asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %130, 0;\n\twgmma.mma_async.sync.aligned." shape_and_types \
               " " WW_REGISTERS_128 "%128, %129, add" tail ";\n\t}"                                                \
               : WW_SUMS_128(kind)                                                                                 \
               : "l"(a), "l"(b), "n"(kAdd))

// kAdd false forgets what the sums held.
template <Operand kOperand, bool kAdd>
__device__ __forceinline__ void wgmma_256(Sum32<kOperand> (&sums)[128], u64 a, u64 b) {
  if constexpr (kOperand == Operand::f16) WW_WGMMA("m64n256k16.f32.f16.f16", "+f", ", 1, 1, 0, 0");
  else if constexpr (kOperand == Operand::bf16) WW_WGMMA("m64n256k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0");
  else if constexpr (kOperand == Operand::tf32) WW_WGMMA("m64n256k8.f32.tf32.tf32", "+f", ", 1, 1");
  else if constexpr (kOperand == Operand::e4m3) WW_WGMMA("m64n256k32.f32.e4m3.e4m3", "+f", ", 1, 1");
  else WW_WGMMA("m64n256k32.s32.s8.s8", "+r", "");
}

#undef WW_SUMS_8
#undef WW_SUMS_32
#undef WW_SUMS_128
#undef WW_REGISTERS_128
#undef WW_WGMMA
