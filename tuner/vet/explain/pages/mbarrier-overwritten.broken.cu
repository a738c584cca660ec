__device__ void wait(unsigned bar, unsigned parity) {
  asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(bar), "r"(parity) : "memory");
}

// The tile is padded by one more element than it has.
// vet: reverse<<<1, 64>>>(x[64], y[64])
__global__ void reverse(const float* x, float* y) {
  __shared__ struct {
    float tile[64];
    unsigned long long full;
  } shared;
  const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&shared.full));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(bar) : "memory");
  __syncthreads();
  shared.tile[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x == 63) shared.tile[threadIdx.x + 1] = 0;
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(bar) : "memory");
  wait(bar, 0);
  y[threadIdx.x] = shared.tile[63 - threadIdx.x];
}
