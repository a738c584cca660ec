// Turn: every point goes `steps` times through x = x + t*y, y = y - t*x.
//
// The ceiling of ordinary arithmetic. The two halves of a step depend on each other, so a thread
// keeps CHAINS points, and the SM enough threads, that some chain is always ready. The map is a
// rotation in skewed coordinates: it never overflows, never comes to rest, and changes all bits of
// both registers all the time, as real data do. Multiplying by a constant until nothing moves would
// draw less power and run at a higher clock.
//
// f16 is computed in pairs, because that is how the pipe reaches its rate: one register holds two
// points.
//
// Tunables:
//   THREADS  a block
//   CHAINS   registers of points of a thread: latency is hidden by chains or by threads, and both
//            cost registers
#include "defaults.cuh"
#include "types.cuh"

constexpr int kThreads = THREADS;
constexpr int kChains = CHAINS;
constexpr int kTurns = 64;  // point i turns by t[i % 64]; a divisor of THREADS

// The contents of one register (f64: two), and a*b + c in it.
template <typename T>
struct Lanes {
  using Register = T;
  static constexpr int kPoints = 1;
  static __device__ __forceinline__ T fma(T a, T b, T c) { return ::fma(a, b, c); }
  static __device__ __forceinline__ T negate(T a) { return -a; }
};
template <>
struct Lanes<float> {
  using Register = float;
  static constexpr int kPoints = 1;
  static __device__ __forceinline__ float fma(float a, float b, float c) { return fmaf(a, b, c); }
  static __device__ __forceinline__ float negate(float a) { return -a; }
};
template <>
struct Lanes<f16> {
  using Register = u32;
  static constexpr int kPoints = 2;
  static __device__ __forceinline__ u32 fma(u32 a, u32 b, u32 c) {
    u32 result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
  }
  static __device__ __forceinline__ u32 negate(u32 a) { return a ^ 0x80008000u; }
};

using Pipe = Lanes<DTYPE>;
using Register = Pipe::Register;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x, y          [n] of dtype
//   t             [64] of dtype
//   x_end, y_end  [n] of dtype, written
//   n             points
//   steps         steps of each point
extern "C" __global__ void __launch_bounds__(kThreads)
    turn(const DTYPE* __restrict__ x, const DTYPE* __restrict__ y, const DTYPE* __restrict__ t,
         DTYPE* __restrict__ x_end, DTYPE* __restrict__ y_end, int n, int steps) {
  const int registers = n / Pipe::kPoints;
  const int first = blockIdx.x * (kThreads * kChains) + threadIdx.x;
  Register a[kChains], b[kChains];
  // All chains of a thread turn alike. An instruction with three operands of its own waits for the
  // register file's ports; an operand that it shares with its neighbours is read once.
  const Register forward = reinterpret_cast<const Register*>(t)[first % (kTurns / Pipe::kPoints)];
  const Register back = Pipe::negate(forward);
#pragma unroll
  for (int k = 0; k < kChains; ++k) {
    // Points beyond the end start as the first point does and are not stored.
    const int at = first + k * kThreads < registers ? first + k * kThreads : 0;
    a[k] = reinterpret_cast<const Register*>(x)[at];
    b[k] = reinterpret_cast<const Register*>(y)[at];
  }
#pragma unroll 4
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < kChains; ++k) a[k] = Pipe::fma(forward, b[k], a[k]);
#pragma unroll
    for (int k = 0; k < kChains; ++k) b[k] = Pipe::fma(back, a[k], b[k]);
  }
#pragma unroll
  for (int k = 0; k < kChains; ++k) {
    const int at = first + k * kThreads;
    if (at >= registers) continue;
    reinterpret_cast<Register*>(x_end)[at] = a[k];
    reinterpret_cast<Register*>(y_end)[at] = b[k];
  }
}
