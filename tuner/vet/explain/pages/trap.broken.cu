// Colours are 0 to 3, but the input has a 4.
// vet: count<<<1, 32>>>(x[32] = 4, y[4] = 0)
__global__ void count(const int* x, int* y) {
  if (x[threadIdx.x] > 3) __trap();
  atomicAdd(&y[x[threadIdx.x]], 1);
}
