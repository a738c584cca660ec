// Elements that are kept land in the order of arrival.
// vet: deterministic
// vet: keep<<<1, 128>>>(x[128] = iota, y[128] = 0, count[1] = 0)
__global__ void keep(const int* x, int* y, int* count) {
  const int mine = x[threadIdx.x];
  if (mine % 3 == 0) y[atomicAdd(count, 1)] = mine;
}
