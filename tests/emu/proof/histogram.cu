// Bytes counted into 256 bins: atomics in shared memory, which lanes of one value contend for, then one a bin in global.
extern "C" __global__ void histogram(const unsigned char* __restrict__ in, unsigned* __restrict__ bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
