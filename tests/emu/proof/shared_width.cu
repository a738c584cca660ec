// Shared memory read 4, 8 and 16 bytes a lane at a distance of `stride` elements: which lanes share a pass.
template <class T>
__device__ void read_strided(const float* __restrict__ in, T* __restrict__ out, int stride) {
  __shared__ __align__(16) float words[4096];
  for (int i = threadIdx.x; i < 4096; i += 128) words[i] = in[i];
  __syncthreads();
  constexpr int kElements = 4096 * sizeof(float) / sizeof(T);
  out[blockIdx.x * 128 + threadIdx.x] = reinterpret_cast<const T*>(words)[threadIdx.x * stride % kElements];
}

extern "C" __global__ void shared_read_4(const float* in, float* out, int stride) { read_strided(in, out, stride); }
extern "C" __global__ void shared_read_8(const float* in, float2* out, int stride) { read_strided(in, out, stride); }
extern "C" __global__ void shared_read_16(const float* in, float4* out, int stride) { read_strided(in, out, stride); }

// The same for writing; what is written is read back in order by other lanes.
template <class T>
__device__ void write_strided(const T* __restrict__ in, float* __restrict__ out, int stride) {
  __shared__ __align__(16) float words[4096];
  for (int i = threadIdx.x; i < 4096; i += 128) words[i] = 0.0f;
  __syncthreads();
  constexpr int kElements = 4096 * sizeof(float) / sizeof(T);
  reinterpret_cast<T*>(words)[threadIdx.x * stride % kElements] = in[threadIdx.x];
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += 128) out[i] = words[i];
}

extern "C" __global__ void shared_write_4(const float* in, float* out, int stride) { write_strided(in, out, stride); }
extern "C" __global__ void shared_write_8(const float2* in, float* out, int stride) { write_strided(in, out, stride); }
extern "C" __global__ void shared_write_16(const float4* in, float* out, int stride) { write_strided(in, out, stride); }
