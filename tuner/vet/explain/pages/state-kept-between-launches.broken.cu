// The sum is 0 when the module is loaded, and goes on from there in every launch.
// vet: total<<<1, 128>>>(x[128], y[1] = unset)
__device__ float sum;
__global__ void total(const float* x, float* y) {
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *y = sum;
}
