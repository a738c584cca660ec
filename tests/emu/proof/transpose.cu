// A transpose through a tile in shared memory. Columns of a 32-wide tile lie in one bank; a 33rd column spreads them.
template <int kPitch>
__device__ void transpose(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  __shared__ float tile[32][kPitch];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x;
  const int to_y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(to_y + j) * height + to_x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_conflicting(const float* in, float* out, int width, int height) {
  transpose<32>(in, out, width, height);
}
extern "C" __global__ void transpose_padded(const float* in, float* out, int width, int height) {
  transpose<33>(in, out, width, height);
}
