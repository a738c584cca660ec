// c[tile] = a[tile] * b[tile]^T. f32 operands are rounded to tf32 first: 10 bits of mantissa,
// to the nearest, ties away from zero. One unit is one row of one tile's product.
#include "reference.h"

namespace {

constexpr int64_t kRows = 64, kColumns = 256;

double operand(const ww_tensor* tensor, int64_t index) {
  if (tensor->dtype != WW_F32) return ww::load(tensor, index);
  uint32_t bits;
  memcpy(&bits, static_cast<const float*>(tensor->data) + index, 4);
  bits = (bits + 0x1000u) & 0xffffe000u;
  float rounded;
  memcpy(&rounded, &bits, 4);
  return rounded;
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* a = ww::find_tensor(call, "a");
  const ww_tensor* b = ww::find_tensor(call, "b");
  double* c = ww::find_output(call, "c");
  if (a == nullptr || b == nullptr || c == nullptr)
    return ww::fail(call, "harness_tensor needs tensors a and b and output c");
  const int64_t depth = a->shape[2];
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t row = call->units[i], tile = row / kRows;
    for (int64_t column = 0; column < kColumns; ++column) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += operand(a, row * depth + k) * operand(b, (tile * kColumns + column) * depth + k);
      c[i * kColumns + column] = sum;
    }
  }
  return 0;
}
