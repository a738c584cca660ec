// vet: count<<<1, 32>>>(x[32] = 4, y[4] = 0)
__global__ void count(const int* x, int* y) {
  if (x[threadIdx.x] <= 3) atomicAdd(&y[x[threadIdx.x]], 1);
}
