// vet: total<<<1, 128>>>(x[128], y[1] = unset)
__device__ float sum;
__global__ void total(const float* x, float* y) {
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *y = sum;
}
