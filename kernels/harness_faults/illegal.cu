// A fault on purpose: a store to an address that belongs to no allocation, as with an index that is
// far off. The context is lost with it. The address is the first page, which no allocation
// contains, in the form of an index into y.
#include "types.cuh"

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x  [n] of f32
//   y  [n] of f32, written
//   n  elements
extern "C" __global__ void illegal(const float* __restrict__ x, float* __restrict__ y, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 2.0f * x[i];
  const i64 far = static_cast<i64>(reinterpret_cast<u64>(y) / sizeof(float)) - 64;
  y[i - far] = 0.0f;
}
