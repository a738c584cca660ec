// The first thread hands the others a table that is its own.
// vet: look_up<<<1, 64>>>(x[8], y[64])
__global__ void look_up(const float* x, float* y) {
  __shared__ const float* table;
  float values[8];
  for (int i = 0; i < 8; ++i) values[i] = x[(i * 5 + threadIdx.x) & 7];
  if (threadIdx.x == 0) table = values;
  __syncthreads();
  y[threadIdx.x] = table[threadIdx.x & 7];
}
