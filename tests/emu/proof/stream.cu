// A scaled copy whose lanes lie `stride` elements apart from element `offset` on: how many 32-byte sectors a request
// touches is the whole difference between its cases.
extern "C" __global__ void stream_scale(const float* __restrict__ in, float* __restrict__ out, int n, int stride,
                                        int offset, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + offset] = fmaf(a, in[i * stride + offset], 1.0f);
}

// The same in 16-byte pieces, the widest that one lane can ask for at a time.
extern "C" __global__ void stream_vector(const float4* __restrict__ in, float4* __restrict__ out, int n, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 x = in[i];
  out[i] = make_float4(fmaf(a, x.x, 1.0f), fmaf(a, x.y, 1.0f), fmaf(a, x.z, 1.0f), fmaf(a, x.w, 1.0f));
}
