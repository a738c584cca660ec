// vet: deterministic
// vet: keep<<<1, 128>>>(x[128] = iota, y[128] = 0, count[1] = 0)
__global__ void keep(const int* x, int* y, int* count) {
  int before = 0;
  for (int i = 0; i < threadIdx.x; ++i) before += x[i] % 3 == 0;
  if (x[threadIdx.x] % 3 == 0) {
    y[before] = x[threadIdx.x];
    atomicAdd(count, 1);
  }
}
