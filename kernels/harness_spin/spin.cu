// Spin: y[i] = i, after exactly `steps` dependent additions.
//
// The result is of no use to anybody. The kernel is a ruler: its time is a constant plus `steps`
// times the time of one step, so what a timer reports for it can be held against the slope of
// t(steps), which no constant overhead reaches.
//
// Algorithm: a thread starts at i - steps, modulo 2^32, and adds 1 `steps` times. The result does
// not depend on the number of steps, and one step too few or too many makes it wrong, so a time
// that passed validation is the time of work that was done. The right result is stored before the
// first step, and the sum only where it differs: a kernel ends when its last store has arrived, and
// those 0.1 us after the steps would not be part of t(steps). ptxas moves a store behind a loop
// that touches no memory; `__syncwarp`, which costs nothing here, orders memory and keeps it in
// front.
//
// Why the loop stays a loop: `asm volatile` hides the addition from the front end. ptxas does see
// it and merges the additions of an unrolled loop into one, hence `unroll 1`, which ptxas honours;
// a step takes 29 cycles of an H200, most of them for the branch. The kernel reads no memory, so
// that L2 and DRAM have no part in its time.
//
// Tunables: none that the source sees. `steps` is an argument, so configurations differ in it and
// not in their code; `label` is never read; it tells apart configurations that take exactly the
// same time.
//
// Requires: at most 2^31 - 1 steps; any n and any grid with a thread for each element.
#include "types.cuh"

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   y      [n] of u32, written
//   n      elements, one thread each
//   steps  steps of each thread
//   label  a number that changes nothing
extern "C" __global__ void spin(u32* __restrict__ y, i32 n, i32 steps, i32 label) {
  const i32 i = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = static_cast<u32>(i);
  __syncwarp();
  u32 value = static_cast<u32>(i) - static_cast<u32>(steps);
#pragma unroll 1
  for (i32 step = 0; step < steps; ++step) asm volatile("add.u32 %0, %0, 1;" : "+r"(value));
  if (i < n && value != static_cast<u32>(i)) y[i] = value;
}
