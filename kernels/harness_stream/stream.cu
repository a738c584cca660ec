// Stream: y = x, with an injected slowdown of known size.
//
// The yardstick for memory-bound kernels, as harness_spin is for latency: a plain copy near the
// copy ceiling, to which EXTRA adds a stated share of traffic. A gate that is to notice a slowdown
// of 3 % is given EXTRA 0 and EXTRA 30.
//
// Algorithm: as many blocks as the GPU holds walk over x in tiles of THREADS * kUnroll packets of
// 16 bytes; each thread has kUnroll loads in flight before it stores. Then they read
// `extra_packets` packets of z in the same way. These packets must be used, because ptxas removes
// unused loads, even those that are volatile in the source: a thread folds it into one word, and if
// that word has one particular value, it stores an element that is already there. z is not in L2,
// so the bytes come from DRAM as those of x do. EXTRA is a share of bytes and nearly the same share
// of time; harness_spin has shares of time that are exact.
//
// Tunables:
//   THREADS        a block; only the granularity in which tiles are handed out
//   BLOCKS_PER_SM  resident blocks, which fixes the grid
//   EXTRA          thousandths of the copy's bytes that are read from z in addition; decided by the
//                  contract, not here
//
// Requires: arrays aligned to 16 bytes; any number of elements, the last few that fill no packet
// are copied one by one.
#include "packet.cuh"

// The defaults of kernel.yaml stand here, not in a file of their own, because
// scripts/record/timers_lib compiles this text without the folder.
#ifndef THREADS
#define THREADS 512
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 2
#endif

constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = BLOCKS_PER_SM;
constexpr int kUnroll = 4;
using Elements = Packet<float, 16>;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x              [rows, cols] of f32
//   z              [rows, ceil_div(cols, 4)] of f32: read for its traffic only
//   y              [rows, cols] of f32, written: a copy of x
//   elements       rows*cols
//   extra_packets  packets of z that are read in addition
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    stream(const float* __restrict__ x, const float* __restrict__ z, float* __restrict__ y,
           i64 elements, i64 extra_packets) {
  const i64 packets = elements / Elements::kElements;
  const i64 tile = static_cast<i64>(kThreads) * kUnroll;
  const i64 first = static_cast<i64>(blockIdx.x) * tile + threadIdx.x;
  const i64 stride = static_cast<i64>(gridDim.x) * tile;

  for (i64 start = first; start < packets; start += stride) {
    Elements held[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 packet = start + k * kThreads;
      held[k] = Elements::load_if(packet < packets, x, packet);
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 packet = start + k * kThreads;
      held[k].store_if(packet < packets, y, packet);
    }
  }

  u32 folded = 0;
  for (i64 start = first; start < extra_packets; start += stride) {
    Elements held[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 packet = start + k * kThreads;
      held[k] = Elements::load_if(packet < extra_packets, z, packet);
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const uint4 words = held[k].storage;
      folded ^= words.x ^ words.y ^ words.z ^ words.w;
    }
  }
  if (folded == 0x9e3779b9u) y[0] = x[0];

  // The elements that fill no packet: at most three.
  const i64 last = packets * Elements::kElements + threadIdx.x;
  if (blockIdx.x == 0 && last < elements) y[last] = x[last];
}
