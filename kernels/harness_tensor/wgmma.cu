// wgmma: every tile's product, `passes` times, from operands that stay in shared memory.
//
// The ceiling of Hopper's tensor cores: only wgmma reaches their rate. It is asynchronous, reads
// both operands from shared memory, and needs four warps together for 64 rows of sums.
//
// Algorithm: each warpgroup of a block copies its tile's operands, 64 and 256 rows of 128 bytes, to
// shared memory and then issues one instruction for each 32 bytes of k. The first of a pass
// replaces the sums: tensor cores truncate sums instead of rounding them, and over hundreds of
// passes that would add up. A pass is a committed group, of which one may be unfinished while the
// next is issued, so the tensor core never waits for the loop. The instruction is the widest, with
// 256 columns: it reads 10 KiB of shared memory in at least 128 clocks, well below the 128 bytes
// per clock that shared memory delivers. The operands are random and differ between the
// instructions of a pass, so that bits toggle as in a real product.
//
// Tunables:
//   GROUPS   warpgroups of a block. An SM has registers for three with 128 sums a thread, in one
//            block or several
//   SWIZZLE  how the tiles lie in shared memory; both are free of bank conflicts
//
// Requires: sm_90a; a launch with 1024 + 40960*GROUPS bytes of dynamic shared memory.
#include "defaults.cuh"
#include "tile.cuh"
#include "warp.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

constexpr Operand kOperand = CEILING;
constexpr int kGroups = GROUPS;
constexpr Layout kLayout = SWIZZLE == 128 ? Layout::swizzled_128 : Layout::columns;

constexpr int kPieces = 8;  // of 16 bytes in a row; a step takes two
constexpr int kGroupThreads = 128;
constexpr int kBlocksPerSm = 3 / kGroups;
constexpr u32 kLeftBytes = kRows * 128, kTileBytes = kLeftBytes + kColumns * 128;
// Swizzled tiles begin at multiples of this. Dynamic shared memory may begin anywhere, so a launch
// asks for this number of bytes more.
constexpr u32 kAlignment = 1024;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(kAlignment + kGroups * kTileBytes == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Rows of 128 bytes from global to shared memory, by one warpgroup.
__device__ __forceinline__ void copy_operand(const u32* __restrict__ from, u8* to, int rows) {
  for (int i = threadIdx.x % kGroupThreads; i < rows * kPieces; i += kGroupThreads) {
    uint4 words = reinterpret_cast<const uint4*>(from)[i];
    words.x = as_operand<kOperand>(words.x);
    words.y = as_operand<kOperand>(words.y);
    words.z = as_operand<kOperand>(words.z);
    words.w = as_operand<kOperand>(words.w);
    *reinterpret_cast<uint4*>(to + operand_offset<kLayout>(i / kPieces, i % kPieces, rows)) = words;
  }
}

__device__ __forceinline__ void issue_pass(Sum32<kOperand> (&sums)[kColumns / 2], u32 left,
                                           u32 right) {
  const auto a = [&](int step) { return operand_descriptor<kLayout>(left, 2 * step, kRows); };
  const auto b = [&](int step) { return operand_descriptor<kLayout>(right, 2 * step, kColumns); };
  wgmma_ss<kOperand, kColumns, false>(sums, a(0), b(0));
#pragma unroll
  for (int step = 1; step < kSteps; ++step)
    wgmma_ss<kOperand, kColumns, true>(sums, a(step), b(step));
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   a       [tiles, 64, k] of dtype
//   b       [tiles, 256, k] of dtype
//   c       [tiles, 64, 256] of f32, written
//   tiles   products
//   passes  how often each product is made
extern "C" __global__ void __launch_bounds__(kGroupThreads* kGroups, kBlocksPerSm)
    tensor_wgmma(const u32* __restrict__ a, const u32* __restrict__ b, float* __restrict__ c,
                 int tiles, int passes) {
  extern __shared__ u8 shared[];
  const int group = threadIdx.x / kGroupThreads;
  const i64 tile = static_cast<i64>(blockIdx.x) * kGroups + group;
  const u32 base = static_cast<u32>(__cvta_generic_to_shared(shared));
  const u32 left =
      ((base + kAlignment - 1) & ~(kAlignment - 1)) + static_cast<u32>(group) * kTileBytes;
  const u32 right = left + kLeftBytes;
  if (tile < tiles) {
    copy_operand(a + tile * kRows * kRowWords, shared + (left - base), kRows);
    copy_operand(b + tile * kColumns * kRowWords, shared + (right - base), kColumns);
  }
  wgmma_publish();
  __syncthreads();
  if (tile >= tiles) return;

  Sum32<kOperand> sums[kColumns / 2] = {};
  wgmma_settle(sums);
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    wgmma_fence();
    issue_pass(sums, left, right);
    wgmma_commit();
    wgmma_wait<1>();
  }
  wgmma_wait<0>();
  wgmma_settle(sums);

  const int lane = lane_id(), warp = warp_id() % 4;
  float* corner = c + (tile * kRows + 16 * warp + lane / 4) * kColumns + 2 * (lane % 4);
#pragma unroll
  for (int i = 0; i < kColumns / 2; i += 2) {
    float* at = corner + 8 * (i / 2 % 2) * kColumns + 8 * (i / 4);
    at[0] = static_cast<float>(sums[i]);
    at[1] = static_cast<float>(sums[i + 1]);
  }
}
