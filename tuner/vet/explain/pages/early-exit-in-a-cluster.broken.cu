// The second block of a pair takes the first one's elements, and signals that by a flag that nothing orders with its reads: the first may
// be gone before they have come.
// vet: lend<<<2, 64>>>(x[64], y[64], taken[1] = 0)
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) lend(const float* x, float* y, volatile int* taken) {
  __shared__ float tile[64];
  const auto cluster = cooperative_groups::this_cluster();
  const int i = threadIdx.x;
  tile[i] = x[i];
  cluster.sync();
  if (cluster.block_rank() == 1) {
    y[i] = cluster.map_shared_rank(tile, 0)[i];
    __syncthreads();
    if (i == 0) *taken = 1;
  } else {
    while (*taken == 0) {
    }
  }
}
