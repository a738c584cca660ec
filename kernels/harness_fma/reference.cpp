// `steps` times x = x + t*y, y = y - t*x, where t is one of 64. One unit is one point.
//
// f32 and f64: a step is the matrix [1, t; -t, 1 - t*t], so all steps are its power, computed in
// extended precision. f16 rounds so coarsely that the mathematics alone would hardly bound its
// result: there every fused multiply-add is rounded to f16 (nearest even), as the type's own
// arithmetic does.
#include "reference.h"

namespace {

constexpr int64_t kTurns = 64;

struct Matrix {
  long double a, b, c, d;
};

Matrix product(const Matrix& m, const Matrix& n) {
  return {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c,
          m.c * n.b + m.d * n.d};
}

Matrix power(Matrix base, int64_t exponent) {
  Matrix result = {1, 0, 0, 1};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

// To the nearest f16, ties to even: 11 significant bits, and from 2^-14 down a unit of 2^-24.
// Branches on values would keep the compiler from doing several points at once. The points stay far
// below the largest f16.
double round_f16(double value) {
  constexpr uint64_t kDropped = (uint64_t{1} << 42) - 1;  // a double has 53 bits
  uint64_t bits;
  memcpy(&bits, &value, 8);
  bits += (kDropped >> 1) + ((bits >> 42) & 1);
  bits &= ~kDropped;
  double normal;
  memcpy(&normal, &bits, 8);
  constexpr double kMagic = 3 * 134217728.0;  // 1.5 * 2^28: its unit is 2^-24
  const double small = (value + kMagic) - kMagic;
  return std::fabs(value) < 0.00006103515625 ? small : normal;
}

// Points side by side, because each step of a point waits for the one before.
constexpr int kAbreast = 16;

void turn_f16(double (&a)[kAbreast], double (&b)[kAbreast], const double (&t)[kAbreast],
              int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    for (int k = 0; k < kAbreast; ++k) a[k] = round_f16(a[k] + t[k] * b[k]);
    for (int k = 0; k < kAbreast; ++k) b[k] = round_f16(b[k] - t[k] * a[k]);
  }
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* y = ww::find_tensor(call, "y");
  const ww_tensor* t = ww::find_tensor(call, "t");
  double* x_end = ww::find_output(call, "x_end");
  double* y_end = ww::find_output(call, "y_end");
  if (x == nullptr || y == nullptr || t == nullptr || x_end == nullptr || y_end == nullptr)
    return ww::fail(call, "harness_fma needs tensors x, y and t and outputs x_end and y_end");
  const int64_t steps = ww::size(call, "steps");
  if (!ww::is(call, "dtype", "f16")) {
    for (int64_t i = 0; i < call->unit_count; ++i) {
      const int64_t at = call->units[i];
      const long double turn = ww::load(t, at % kTurns), a = ww::load(x, at), b = ww::load(y, at);
      const Matrix all = power({1, turn, -turn, 1 - turn * turn}, steps);
      x_end[i] = static_cast<double>(all.a * a + all.b * b);
      y_end[i] = static_cast<double>(all.c * a + all.d * b);
    }
    return 0;
  }
  for (int64_t first = 0; first < call->unit_count; first += kAbreast) {
    const int64_t count = call->unit_count - first < kAbreast ? call->unit_count - first : kAbreast;
    double a[kAbreast] = {}, b[kAbreast] = {}, turn[kAbreast] = {};
    for (int64_t k = 0; k < count; ++k) {
      const int64_t at = call->units[first + k];
      a[k] = ww::load(x, at);
      b[k] = ww::load(y, at);
      turn[k] = ww::load(t, at % kTurns);
    }
    turn_f16(a, b, turn, steps);
    for (int64_t k = 0; k < count; ++k) {
      x_end[first + k] = a[k];
      y_end[first + k] = b[k];
    }
  }
  return 0;
}
