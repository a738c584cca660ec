// The sums are added to what cudaMalloc left there.
// vet: sums<<<1, 64>>>(x[64][4], y[64] = unset)
__global__ void sums(const float* x, float* y) {
  for (int i = 0; i < 4; ++i) y[threadIdx.x] += x[4 * threadIdx.x + i];
}
