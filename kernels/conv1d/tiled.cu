// Convolution over time on the CUDA cores: tiles of x and w in shared memory, outputs in registers.
//
// Algorithm: a block calculates TILE_T times of TILE_C channels of one batch entry. For every CHUNK
// input channels it brings the times that the tile's windows cover, each once for all taps, and the
// tile's weights. A thread has T_OUTPUTS times x 4 channels: a product of that size takes
// T_OUTPUTS + 1 loads from shared memory, one of them of 16 bytes. Everything is f32 by then.
//
// Tunables:
//   TILE_T, TILE_C  outputs of a block: larger tiles read less from L2, smaller ones are more
//                   blocks
//   T_OUTPUTS       times of a thread, TILE_T / T_OUTPUTS apart, so that lanes read neighbours
//   CHUNK           input channels between barriers
//
// Next idea: mma.cu lets tensor cores multiply, for inputs of 16 bits.
#include "defaults.cuh"
#include "problem.cuh"

using Element = DTYPE;
constexpr Order kOrder = Order::LAYOUT;
constexpr Function kFunction = Function::ACTIVATION;
constexpr int kTimes = TILE_T, kChannels = TILE_C, kTimesEach = T_OUTPUTS, kChunk = CHUNK;
constexpr int kChannelsEach = 4;
constexpr int kTimeThreads = kTimes / kTimesEach, kChannelThreads = kChannels / kChannelsEach;
constexpr int kThreads = kTimeThreads * kChannelThreads;
constexpr int kPitch = kChannels + 4;  // of weights: rows start 4 banks apart, aligned to 16 bytes
static_assert(kTimeThreads * kTimesEach == kTimes && kChannelThreads * kChannelsEach == kChannels);

// Copies `channels` channels of x from `chunk` on to shared memory, at `span` times from `start`
// on; zeros outside of x. Consecutive threads read consecutive elements, whichever axis that is.
__device__ __forceinline__ void load_inputs(float* inputs, const Element* __restrict__ x,
                                            const Sizes& sizes, int b, int chunk, int channels,
                                            int start, int span) {
  const bool first = kOrder == Order::channels_first;
  for (int i = static_cast<int>(threadIdx.x); i < channels * span; i += kThreads) {
    const int ci = first ? i / span : i % channels, place = first ? i % span : i / channels;
    const int time = start + place;
    inputs[ci * span + place] = time >= 0 && time < sizes.length
                                    ? to_float(x[x_index<kOrder>(sizes, b, chunk + ci, time)])
                                    : 0;
  }
}

// Copies the weights of the same channels for the block's channels of the output; zeros for those
// that do not exist.
__device__ __forceinline__ void load_weights(float* weights, const Element* __restrict__ w,
                                             const Sizes& sizes, int first_co, int chunk,
                                             int channels) {
  const bool first = kOrder == Order::channels_first;
  const int width = sizes.width, rows = channels * width;
  for (int i = static_cast<int>(threadIdx.x); i < rows * kChannels; i += kThreads) {
    const int co = first ? i / rows : i / channels % kChannels;
    const int ci = first ? i % rows / width : i % channels;
    const int tap = first ? i % width : i / channels / kChannels;
    weights[(ci * width + tap) * kPitch + co] =
        first_co + co < sizes.c_out
            ? to_float(w[w_index<kOrder>(sizes, first_co + co, chunk + ci, tap)])
            : 0;
  }
}

// Writes the thread's outputs: times from `first_t` on, kTimeThreads apart, and channels from
// `first_co` on.
template <typename Sum>
__device__ __forceinline__ void store(Element* __restrict__ out,
                                      const Sum (&sums)[kTimesEach][kChannelsEach],
                                      const Element* __restrict__ bias, const Sizes& sizes, int b,
                                      int first_t, int first_co) {
#pragma unroll
  for (int i = 0; i < kTimesEach; ++i) {
#pragma unroll
    for (int j = 0; j < kChannelsEach; ++j) {
      const int t = first_t + i * kTimeThreads, co = first_co + j;
      if (t < sizes.t_out && co < sizes.c_out) {
        const float value = sums[i][j].total + to_float(bias[co]);
        out[out_index<kOrder>(sizes, b, co, t)] =
            from_float<Element>(activated<Element, kFunction>(value));
      }
    }
  }
}

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
    conv1d_tiled(const Element* __restrict__ x, const Element* __restrict__ w,
                 const Element* __restrict__ bias, Element* __restrict__ out, int batch, int c_in,
                 int c_out, int length, int t_out, int width, int stride, int pad) {
  extern __shared__ float4 dynamic[];
  const Sizes sizes{batch, c_in, c_out, length, t_out, width, stride, pad};
  const int span = (kTimes - 1) * stride + width;            // times that the tile's windows cover
  float* const weights = reinterpret_cast<float*>(dynamic);  // [kChunk * width][kPitch]
  float* const inputs = weights + kChunk * width * kPitch;   // [kChunk][span]
  const int thread = static_cast<int>(threadIdx.x), b = static_cast<int>(blockIdx.z);
  const int first_t = static_cast<int>(blockIdx.x) * kTimes;
  const int first_co = static_cast<int>(blockIdx.y) * kChannels;
  // Lanes run along the axis that is contiguous in the output.
  const bool first = kOrder == Order::channels_first;
  const int my_t = first ? thread % kTimeThreads : thread / kChannelThreads;
  const int my_c = (first ? thread / kTimeThreads : thread % kChannelThreads) * kChannelsEach;
  const int start = first_t * stride - pad;
  // Products that are added up without correction: 4 channels x 3 taps or 2 x 7 (LongSum).
  const int together = width <= 3 ? 4 : 2;

  // 16 outputs are 32 registers of f32 with their corrections, and 16 of chains.
  LongSum<sizeof(Element) == 4> sums[kTimesEach][kChannelsEach];
  for (int chunk = 0; chunk < c_in; chunk += kChunk) {
    const int channels = min(kChunk, c_in - chunk);
    __syncthreads();
    load_inputs(inputs, x, sizes, b, chunk, channels, start, span);
    load_weights(weights, w, sizes, first_co, chunk, channels);
    __syncthreads();
    for (int begin = 0; begin < channels; begin += together) {
      float parts[kTimesEach][kChannelsEach] = {};
      const int end = min(begin + together, channels);
      for (int ci = begin; ci < end; ++ci) {
        for (int tap = 0; tap < width; ++tap) {
          const float4 four =
              *reinterpret_cast<const float4*>(weights + (ci * width + tap) * kPitch + my_c);
          const float factors[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
          for (int i = 0; i < kTimesEach; ++i) {
            const float value = inputs[ci * span + (my_t + i * kTimeThreads) * stride + tap];
#pragma unroll
            for (int j = 0; j < kChannelsEach; ++j) parts[i][j] += value * factors[j];
          }
        }
      }
#pragma unroll
      for (int i = 0; i < kTimesEach; ++i) {
#pragma unroll
        for (int j = 0; j < kChannelsEach; ++j) sums[i][j].add(parts[i][j]);
      }
    }
  }
  store(out, sums, bias, sizes, b, first_t + my_t, first_co + my_c);
}
