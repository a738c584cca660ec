// Even and odd lanes of a warp meet at two barriers.
// vet: swap<<<1, 64>>>(x[64], y[64])
__global__ void swap(const float* x, float* y) {
  __shared__ float tile[64];
  if (threadIdx.x % 2 == 0) {
    tile[threadIdx.x] = sqrtf(x[threadIdx.x] + 1);
    __syncthreads();
    y[threadIdx.x] = 2 * tile[threadIdx.x + 1];
  } else {
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = expf(tile[threadIdx.x - 1]);
  }
}
