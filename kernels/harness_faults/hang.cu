// A fault on purpose: a kernel that never ends.
//
// The result is right and is written first, so that nothing but the time betrays it. The loop waits
// for a word that no one writes; volatile, so that every turn reads it and the compiler cannot
// conclude anything.
#include "types.cuh"

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x  [n] of f32
//   y  [n] of f32, written
//   n  elements
extern "C" __global__ void hang(const float* __restrict__ x, float* __restrict__ y, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
  __shared__ volatile u32 never;
  if (threadIdx.x == 0) never = 0;
  __syncthreads();
  while (never == 0) {
  }
}
