// vet: sum<<<4, 64>>>(x[256], total[1] = 0)
__global__ void sum(const float* x, float* total) {
  if (threadIdx.x == 0) atomicAdd(total, x[blockIdx.x * 64]);
}
