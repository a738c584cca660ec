// vet: negative<<<4, 64>>>(x[256] = -1, flag[1] = 0)
__global__ void negative(const float* x, int* flag) {
  if (x[blockIdx.x * 64 + threadIdx.x] < 0) atomicExch(flag, 1);
}
