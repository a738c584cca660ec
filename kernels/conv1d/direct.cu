// Convolution over time, the baseline: a thread calculates one output.
//
// Algorithm: the definition. Neighbouring threads have neighbouring outputs in memory: in channels
// first they read neighbouring times of x and the same weights, in channels last the same x and
// weights of different rows, which lie c_in apart. Every product takes two loads, so that L1 bounds
// it, at about 1/8 of the FMA units' speed.
//
// Tunables:
//   THREADS  of a block
//
// Next idea: tiled.cu keeps what neighbours share in shared memory and registers.
#include "defaults.cuh"
#include "problem.cuh"

using Element = DTYPE;
constexpr Order kOrder = Order::LAYOUT;
constexpr Function kFunction = Function::ACTIVATION;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x       of dtype: [batch, c_in, length] if channels come first, otherwise [batch, length, c_in]
//   w       of dtype: [c_out, c_in, width] if channels come first, otherwise [width, c_out, c_in]
//   bias    [c_out] of dtype
//   out     of dtype, written: [batch, c_out, t_out] if channels come first, otherwise [batch,
//           t_out, c_out]
//   batch   sequences
//   c_in    channels of x
//   c_out   channels of the output
//   length  times of x
//   t_out   times of the output
//   width   taps of the kernel
//   stride  times from one window to the next
//   pad     zeros before and after x
extern "C" __global__ void __launch_bounds__(kThreads)
    conv1d_direct(const Element* __restrict__ x, const Element* __restrict__ w,
                  const Element* __restrict__ bias, Element* __restrict__ out, int batch, int c_in,
                  int c_out, int length, int t_out, int width, int stride, int pad) {
  const Sizes sizes{batch, c_in, c_out, length, t_out, width, stride, pad};
  const i64 index = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  const i64 image = static_cast<i64>(c_out) * t_out;
  if (index >= image * batch) return;
  const int b = static_cast<int>(index / image), place = static_cast<int>(index % image);
  const bool first = kOrder == Order::channels_first;
  const int co = first ? place / t_out : place % c_out, t = first ? place % t_out : place / c_out;
  const int start = t * stride - pad;
  const int tap_begin = max(0, -start), tap_end = min(width, length - start);  // within the input

  LongSum<sizeof(Element) == 4> sum;
  for (int ci = 0; ci < c_in; ++ci) {
    float part = 0;
    for (int tap = tap_begin; tap < tap_end; ++tap)
      part += to_float(x[x_index<kOrder>(sizes, b, ci, start + tap)]) *
              to_float(w[w_index<kOrder>(sizes, co, ci, tap)]);
    sum.add(part);
  }
  const float value = sum.total + to_float(bias[co]);
  out[index] = from_float<Element>(activated<Element, kFunction>(value));
}
