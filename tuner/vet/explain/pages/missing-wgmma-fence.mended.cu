// 64 x 8 sums of 64 x 16 by 16 x 8 halves, four a thread, by one warpgroup.
// vet: product<<<1, 128>>>(x[576] = 0x3c003c00, y[512])
__global__ void product(const unsigned* x, float* y) {
  __shared__ alignas(128) unsigned a[512], b[64];
  for (int i = threadIdx.x; i < 512; i += 128) a[i] = x[i];
  if (threadIdx.x < 64) b[threadIdx.x] = x[512 + threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const auto tile = [](const void* at, int rows) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(at));
    return (address >> 4 & 0x3fff) | static_cast<unsigned long long>(rows) << 16 | 8ull << 32;
  };
  const unsigned long long left = tile(a, 64), right = tile(b, 8);
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(left), "l"(right) : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  for (int i = 0; i < 4; ++i) y[4 * threadIdx.x + i] = d[i];
}
