// The copy is committed, but there is no wait for it.
// vet: twice<<<1, 128>>>(x[128], y[128])
__global__ void twice(const float* x, float* y) {
  __shared__ float tile[128];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  y[threadIdx.x] = 2 * tile[127 - threadIdx.x];
}
