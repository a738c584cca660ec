// vet: clamp<<<1, 32>>>(y[32], 3)
__global__ void clamp(int* y, int n) {
  int high = 0;
  asm("{ .reg .pred p; setp.gt.s32 p, %1, 16; @p mov.b32 %0, 1; }" : "+r"(high) : "r"(n));
  y[threadIdx.x] = high;
}
