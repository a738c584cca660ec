// vet: mean<<<1, 32>>>(x[1024] = random(0, 1), y[1] = unset)
__global__ void mean(const float* x, float* y) {
  float sum = 0;
  for (int i = threadIdx.x; i < 1024; i += 32) sum += x[i];
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(0xffffffff, sum, other);
  if (threadIdx.x == 0) *y = sum / 1024;
}
