// Sums of rows, a block for each: a strided loop, shuffles within a warp, one partial sum a warp in shared memory.
extern "C" __global__ void row_reduction(const float* __restrict__ in, float* __restrict__ out, int columns) {
  __shared__ float partial[8];
  const float* row = in + static_cast<long long>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 256) sum += row[c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < 8 ? partial[threadIdx.x] : 0.0f;
  for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
