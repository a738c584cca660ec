// Scaled copy: y = 2x, the variant of this contract that is right, in fifty shapes.
//
// A sweep that meets hang.cu, crash.cu and illegal.cu on the way must still time all of these. A
// block owns THREADS * ITEMS consecutive elements, thread t takes elements t, t + THREADS, ...,
// UNROLL of them in flight.
//
// Tunables:
//   THREADS  a block
//   ITEMS    elements of a thread, a multiple of UNROLL
//   UNROLL   loads in flight
//
// Requires: nothing; any number of elements. Doubling a finite number is exact, or overflows in the
// reference as well.
#include "defaults.cuh"
#include "types.cuh"

constexpr int kThreads = THREADS;
constexpr int kItems = ITEMS;
constexpr int kUnroll = UNROLL;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x  [n] of f32
//   y  [n] of f32, written
//   n  elements
extern "C" __global__ void __launch_bounds__(kThreads)
    scaled(const float* __restrict__ x, float* __restrict__ y, i64 n) {
  const i64 first = static_cast<i64>(blockIdx.x) * (kThreads * kItems) + threadIdx.x;
#pragma unroll 1
  for (int item = 0; item < kItems; item += kUnroll) {
    float held[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 i = first + (item + k) * kThreads;
      held[k] = i < n ? x[i] : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const i64 i = first + (item + k) * kThreads;
      if (i < n) y[i] = 2.0f * held[k];
    }
  }
}
