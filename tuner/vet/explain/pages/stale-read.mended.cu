// vet: twice<<<1, 64>>>(x[64])
__global__ void twice(float* x) {
  x[threadIdx.x] *= 2;
  __syncthreads();
  const float other = x[63 - threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = other;
}
