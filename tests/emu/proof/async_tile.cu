// A tile that cp.async brings into shared memory 16 bytes a lane, read back in reverse order.
extern "C" __global__ void async_reverse(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ __align__(16) float tile[1024];
  const float* from = in + blockIdx.x * 1024 + threadIdx.x * 4;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x * 4));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from) : "memory");
  asm volatile("cp.async.commit_group;\n" ::: "memory");
  asm volatile("cp.async.wait_group 0;\n" ::: "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += 256) out[blockIdx.x * 1024 + i] = tile[1023 - i];
}
