// vet: reverse<<<1, 128>>>(x[2][128], y[2][128])
__global__ void reverse(const float* x, float* y) {
  __shared__ float tile[128];
  for (int row = 0; row < 2; ++row) {
    tile[threadIdx.x] = x[row * 128 + threadIdx.x];
    __syncthreads();
    y[row * 128 + threadIdx.x] = tile[127 - threadIdx.x];
    __syncthreads();
  }
}
