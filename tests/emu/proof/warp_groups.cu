// Warp-wide operations whose lanes name different groups at once: lane t belongs to the lanes with the same t % 4. What
// each operation gives is stored 32 apart.
extern "C" __global__ void warp_groups(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned group = 0x11111111u << lane % 4;
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned* to = out + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 224 + lane;
  int all_equal = 0;
  to[0] = __reduce_add_sync(group, value);
  to[32] = __reduce_max_sync(group, value);
  to[64] = __ballot_sync(group, value % 2);
  to[96] = (__any_sync(group, value == 5) ? 1u : 0u) | (__all_sync(group, value < 6) ? 2u : 0u);
  to[128] = __match_any_sync(group, value % 3);
  to[160] = __match_all_sync(group, value / 7, &all_equal) + (all_equal != 0 ? 1u : 0u);
  to[192] = __shfl_sync(group, value, (lane + 4) % 32) + 16 * __shfl_xor_sync(group, value, 8);
}
