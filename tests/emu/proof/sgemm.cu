// C = A B in f32: tiles of 32 x 32 through shared memory, 2 x 2 results a thread.
extern "C" __global__ void sgemm_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                                       int k) {
  __shared__ float a_tile[32][17];
  __shared__ float b_tile[16][32];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int row = blockIdx.y * 32;
  const int column = blockIdx.x * 32;
  float sum[2][2] = {};
  for (int start = 0; start < k; start += 16) {
    for (int i = thread; i < 32 * 16; i += 256) {
      a_tile[i / 16][i % 16] = a[(row + i / 16) * k + start + i % 16];
      b_tile[i / 32][i % 32] = b[(start + i / 32) * n + column + i % 32];
    }
    __syncthreads();
    for (int t = 0; t < 16; ++t) {
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          sum[i][j] = fmaf(a_tile[threadIdx.y + 16 * i][t], b_tile[t][threadIdx.x + 16 * j], sum[i][j]);
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) c[(row + threadIdx.y + 16 * i) * n + column + threadIdx.x + 16 * j] = sum[i][j];
  }
}
