// Multiplications, additions and fused pairs kept apart, in different numbers, so that no counter can stand for another;
// two lanes in three go on, in a branch that no predicate replaces.
extern "C" __global__ void polynomial(const float* __restrict__ in, float* __restrict__ out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float value = 0.25f;
  for (int r = 0; r < rounds; ++r) {
    value = fmaf(value, x, 0.5f);
    value = fmaf(value, x, -0.75f);
    value = fmaf(value, x, 0.125f);
    value = __fmul_rn(value, x);
    value = __fmul_rn(value, 0.8125f);
    value = __fadd_rn(value, x);
    if (i % 3 != 0) {
      for (int s = 0; s < r; ++s) value = __fadd_rn(__fmul_rn(value, 0.5f), 0.375f);
    }
  }
  out[i] = value;
}

// The same kind of chain in double precision.
extern "C" __global__ void polynomial_double(const double* __restrict__ in, double* __restrict__ out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  double value = 0.25;
  for (int r = 0; r < rounds; ++r) {
    value = fma(value, x, 0.5);
    value = __dmul_rn(value, 0.8125);
    value = __dadd_rn(value, x);
    value = __dadd_rn(value, 0.375);
  }
  out[i] = value;
}
