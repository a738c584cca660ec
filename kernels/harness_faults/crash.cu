// A fault on purpose: a kernel that stops itself, as a failed device-side assertion does. The
// context is lost with it.
#include "types.cuh"

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x  [n] of f32
//   y  [n] of f32, written
//   n  elements
extern "C" __global__ void crash(const float* __restrict__ x, float* __restrict__ y, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
  asm volatile("trap;");
}
