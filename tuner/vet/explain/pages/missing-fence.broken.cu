// One block passes a value to the other by a flag. Nothing keeps the two stores in order, nor the two loads.
// vet: pass<<<2, 32>>>(x[1], value[1] = 0, flag[1] = 0, y[1])
__global__ void pass(const float* x, volatile float* value, volatile int* flag, float* y) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 2 * x[0];
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    y[0] = *value;
  }
}
