// vet: swap<<<1, 64>>>(x[64], y[64])
__global__ void swap(const float* x, float* y) {
  __shared__ float tile[64];
  const bool even = threadIdx.x % 2 == 0;
  tile[threadIdx.x] = even ? sqrtf(x[threadIdx.x] + 1) : x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = even ? 2 * tile[threadIdx.x + 1] : expf(tile[threadIdx.x - 1]);
}
