// With 384 threads a block has 168 registers a thread: 160 is fewer, not more.
// vet: roles<<<1, 384>>>(x[256], y[256])
__global__ void __launch_bounds__(384, 1) roles(const float* x, float* y) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    return;
  }
  if (threadIdx.x < 256) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  }
  y[threadIdx.x - 128] = x[threadIdx.x - 128];
}
