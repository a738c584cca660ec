// Kernels of emulator_benchmark.cpp; the .ptx beside it is `nvcc -ptx -arch=sm_90a -lineinfo` of this file.
extern "C" __global__ void fma_loop(const float* in, float* out, unsigned iterations) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[16];
  for (int k = 0; k < 16; ++k) x[k] = in[i] + k;
  for (unsigned n = 0; n < iterations; ++n) {
#pragma unroll
    for (int k = 0; k < 16; ++k) x[k] = fmaf(x[k], 0.999f, 0.001f);
  }
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[k];
  out[i] = sum;
}

extern "C" __global__ void stream(const float4* in, float4* out, unsigned work) {
  const unsigned stride = gridDim.x * blockDim.x;
  const unsigned count = stride * work / 4;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    float4 v = in[i];
    v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
    out[i] = v;
  }
}

extern "C" __global__ void shared_reduction(const float* in, float* out, unsigned work) {
  __shared__ float part[256];
  float sum = 0;
  for (unsigned k = 0; k < work; ++k) sum += in[(blockIdx.x * work + k) * blockDim.x + threadIdx.x];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
