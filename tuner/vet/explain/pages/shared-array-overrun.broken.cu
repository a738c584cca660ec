// Three-point sums of a block's elements: the tile has no room for the neighbour of the last one, which goes where the weights are.
// vet: smooth<<<1, 64>>>(in[66], out[64])
__global__ void smooth(const float* in, float* out) {
  __shared__ float tile[65];
  __shared__ float weights[3];
  const int i = threadIdx.x;
  tile[i] = in[i];
  if (i < 2) tile[64 + i] = in[64 + i];
  __syncthreads();
  if (i < 3) weights[i] = i == 1 ? 0.5f : 0.25f;
  __syncthreads();
  out[i] = weights[0] * tile[i] + weights[1] * tile[i + 1] + weights[2] * tile[i + 2];
}
