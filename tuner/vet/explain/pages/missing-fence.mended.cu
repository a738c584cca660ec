// One block passes a value to the other by a flag, with a fence between the two on both sides.
// vet: pass<<<2, 32>>>(x[1], value[1] = 0, flag[1] = 0, y[1])
__global__ void pass(const float* x, volatile float* value, volatile int* flag, float* y) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 2 * x[0];
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    y[0] = *value;
  }
}
