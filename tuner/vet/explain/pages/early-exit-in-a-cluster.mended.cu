// The second block of a pair takes the first one's elements. The first stays until it has them.
// vet: lend<<<2, 64>>>(x[64], y[64])
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) lend(const float* x, float* y) {
  __shared__ float tile[64];
  const auto cluster = cooperative_groups::this_cluster();
  const int i = threadIdx.x;
  tile[i] = x[i];
  cluster.sync();
  if (cluster.block_rank() == 1) y[i] = cluster.map_shared_rank(tile, 0)[i];
  cluster.sync();
}
