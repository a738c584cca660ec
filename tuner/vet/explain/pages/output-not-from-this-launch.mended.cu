// vet: scale<<<1, 64>>>(x[64], y[64] = unset)
__global__ void scale(const float* x, float* y) {
  const int i = threadIdx.x;
  y[i] = 2 * x[i];
}
