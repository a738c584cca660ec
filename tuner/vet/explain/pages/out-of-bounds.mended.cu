// vet: n = 1000
// vet: twice<<<(n + 255) / 256, 256>>>(x[n], n)
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
