// d[64 x 8] += a[64 x 16] b[16 x 8] in f16, one step after the other from one place in shared memory. In step s warp s % 4
// is late by far; the first thread brings the next operands as soon as its own warp has waited. That is right because
// wgmma is the warpgroup's: no warp's wait ends before all four have issued theirs.
// Operands are columns of 16 bytes: a has two of 64 rows, b two of 8, as in shared memory.
extern "C" __global__ void collective_wgmma(const unsigned* in, float* out, unsigned steps, unsigned delay) {
  constexpr unsigned kWords = (64 + 8) * 8;
  __shared__ alignas(128) unsigned operands[kWords];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) operands[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(operands));
  const unsigned long long a = (base >> 4) | 64ull << 16 | 8ull << 32;
  const unsigned long long b = ((base + 64 * 32) >> 4) | 8ull << 16 | 8ull << 32;
  float d[4] = {};
  for (unsigned step = 0; step < steps; ++step) {
    if (warp == step % 4) {
      const long long begin = clock64();
      while (clock64() - begin < delay) {
      }
    }
    __syncwarp();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{ .reg .pred add; setp.eq.u32 add, 0, 0; "
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, add, 1, 1, 0, 0; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x == 0 && step + 1 < steps) {
      for (unsigned i = 0; i < kWords; ++i) operands[i] = in[(step + 1) * kWords + i];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
  }
  const unsigned row = warp * 16 + lane / 4, column = lane % 4 * 2;
  out[row * 8 + column] = d[0];
  out[row * 8 + column + 1] = d[1];
  out[(row + 8) * 8 + column] = d[2];
  out[(row + 8) * 8 + column + 1] = d[3];
}
