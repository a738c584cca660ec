__device__ void wait(unsigned bar, unsigned parity) {
  asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(bar), "r"(parity) : "memory");
}

// vet: handover<<<1, 64>>>(x[1], y[1])
__global__ void handover(const float* x, float* y) {
  __shared__ float value;
  __shared__ alignas(8) unsigned long long full;
  const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&full));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    value = *x;
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(bar) : "memory");
  }
  if (threadIdx.x == 32) {
    wait(bar, 0);
    *y = value;
  }
}
