// C = A B with bf16 operands on tensor cores: 16 x 8 results a warp, operands straight from global memory in the layout
// that mma.sync wants; B is stored by columns.
#include <cuda_bf16.h>

extern "C" __global__ void mma_tile(const __nv_bfloat16* __restrict__ a, const __nv_bfloat16* __restrict__ b,
                                    float* __restrict__ c, int n, int k) {
  const int warp = threadIdx.x / 32;
  const int group = threadIdx.x % 32 / 4;
  const int pair = threadIdx.x % 4 * 2;
  const int row = warp * 16 + group;
  const int column = blockIdx.x * 8;
  float sum[4] = {};
  const auto two = [](const __nv_bfloat16* at) { return *reinterpret_cast<const unsigned*>(at); };
  for (int start = 0; start < k; start += 16) {
    const __nv_bfloat16* from_a = a + row * k + start + pair;
    const __nv_bfloat16* from_b = b + (column + group) * k + start + pair;
    const unsigned a_rows[4] = {two(from_a), two(from_a + 8 * k), two(from_a + 8), two(from_a + 8 * k + 8)};
    const unsigned b_column[2] = {two(from_b), two(from_b + 8)};
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a_rows[0]), "r"(a_rows[1]), "r"(a_rows[2]), "r"(a_rows[3]), "r"(b_column[0]), "r"(b_column[1]));
  }
  *reinterpret_cast<float2*>(c + row * n + column + pair) = make_float2(sum[0], sum[1]);
  *reinterpret_cast<float2*>(c + (row + 8) * n + column + pair) = make_float2(sum[2], sum[3]);
}
