// Softmax of rows, a warp for each, with the approximate exponential and division.
extern "C" __global__ void softmax_rows(const float* __restrict__ in, float* __restrict__ out, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const float* x = in + row * columns;
  float top = -3.0e38f;
  for (int c = lane; c < columns; c += 32) top = fmaxf(top, x[c]);
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += __expf(x[c] - top);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int c = lane; c < columns; c += 32) out[row * columns + c] = __fdividef(__expf(x[c] - top), sum);
}
