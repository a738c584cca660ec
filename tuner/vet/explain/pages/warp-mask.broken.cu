// The upper half asks lanes 0 to 15 by a mask that does not name itself.
// vet: fold<<<1, 32>>>(x[32], y[32])
__global__ void fold(const int* x, int* y) {
  int mine = x[threadIdx.x];
  if (threadIdx.x >= 16) mine += __shfl_xor_sync(0x0000ffff, mine, 1);
  y[threadIdx.x] = mine;
}
