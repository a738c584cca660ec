// Gated activation, scalar: out = act(g) * u, one element per thread. The baseline.
//
// act is SiLU (SwiGLU) or one of two forms of GELU (GeGLU), as ACTIVATION says: activation.cuh.
//
// Algorithm: thread i computes element i. A warp reads 32 consecutive elements, so every byte that
// is fetched is used; but of bf16 that is 64 bytes per instruction where 512 are possible. What
// holds the kernel up is the number of its memory instructions and threads, not the memory.
//
// Tunables:
//   THREADS  threads per block. The number of warps is the same whatever it is; it only changes how
//            they are grouped.
//
// Requires nothing of sizes or alignment.
//
// Next idea: 16 bytes per access and several accesses in flight per thread: flat.cu.
#include "activation.cuh"
#include "defaults.cuh"

using T = DTYPE;
constexpr Activation kActivation = Activation::ACTIVATION;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   g, u      [rows, d] of dtype
//   out       [rows, d] of dtype, written
//   elements  rows*d
extern "C" __global__ void __launch_bounds__(kThreads)
    gated_activation(const T* __restrict__ g, const T* __restrict__ u, T* __restrict__ out,
                     i64 elements) {
  // 64 bits before the multiplication: 32 overflow from 2^31 elements on.
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < elements) out[i] = from_float<T>(gated<kActivation>(to_float(g[i]), to_float(u[i])));
}
