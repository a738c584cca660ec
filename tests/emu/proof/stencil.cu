// Five points of a plane; its border is copied, so some lanes of the first and last warps of a row go another way.
extern "C" __global__ void stencil_five(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  const float centre = in[i];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = centre;
    return;
  }
  const float around = __fadd_rn(__fadd_rn(in[i - 1], in[i + 1]), __fadd_rn(in[i - width], in[i + width]));
  out[i] = fmaf(0.5f, centre, __fmul_rn(0.125f, around));
}
