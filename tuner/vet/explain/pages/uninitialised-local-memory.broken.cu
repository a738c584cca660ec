// Each thread adds up by classes, into sums that start as whatever was there.
// vet: classes<<<1, 32>>>(x[8][32] = iota, y[32], 8)
__global__ void classes(const float* x, float* y, int rows) {
  float sums[8];
  for (int row = 0; row < rows; ++row) {
    const float value = x[row * 32 + threadIdx.x];
    sums[static_cast<int>(value) & 7] += value;
  }
  y[threadIdx.x] = sums[threadIdx.x & 7];
}
