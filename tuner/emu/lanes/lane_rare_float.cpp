// f32 and f64 operations that are too rare to be compiled per instruction set: saturation, .NaN,
// copysign, the approximate instructions of f64.
#define WARPWRIGHT_LANE_ISA lane_rare_float
#include "emu/lanes/lane_float.h"

namespace warpwright::emu {

void add_lane_ops_rare_float(LaneTable& t) {
  using namespace lane_rare_float;
  constexpr InstClass k = InstClass::kFp32;
  add_float_arithmetic<true>(t);
  binary<float, float, float>(t, {"min.NaN.f32"}, k,
                              [](float a, float b) { return extreme<false, true>(a, b); });
  binary<float, float, float>(t, {"max.NaN.f32"}, k,
                              [](float a, float b) { return extreme<true, true>(a, b); });
  binary<float, float, float>(t, {"min.ftz.NaN.f32"}, k, [](float a, float b) {
    return extreme<false, true>(flush(a), flush(b));
  });
  binary<float, float, float>(t, {"max.ftz.NaN.f32"}, k, [](float a, float b) {
    return extreme<true, true>(flush(a), flush(b));
  });
  // The first operand provides the sign, the second the magnitude.
  binary<float, float, float>(t, {"copysign.f32"}, k, [](float a, float b) {
    return float_from_bits((bits_of(a) & 0x80000000u) | (bits_of(b) & 0x7fffffffu));
  });
  binary<double, double, double>(t, {"copysign.f64"}, InstClass::kFp64, [](double a, double b) {
    return double_from_bits((bits_of(a) & 0x8000000000000000u) |
                            (bits_of(b) & 0x7fffffffffffffffu));
  });
  // The hardware gives about 20 bits, in the high word; the compiled code refines the result.
  unary<double, double>(t, {"rcp.approx.ftz.f64"}, InstClass::kSpecial, [](double a) {
    const std::uint64_t bits = bits_of(a);
    const double in =
        (bits & 0x7ff0000000000000u) == 0 ? double_from_bits(bits & 0x8000000000000000u) : a;
    const std::uint64_t out = bits_of(1.0 / in) & 0xffffffff00000000u;
    return double_from_bits((out & 0x7ff0000000000000u) == 0 ? out & 0x8000000000000000u : out);
  });
  unary<double, double>(t, {"rsqrt.approx.ftz.f64"}, InstClass::kSpecial, [](double a) {
    const std::uint64_t bits = bits_of(a);
    const double in =
        (bits & 0x7ff0000000000000u) == 0 ? double_from_bits(bits & 0x8000000000000000u) : a;
    return double_from_bits(bits_of(1.0 / __builtin_sqrt(in)) & 0xffffffff00000000u);
  });
  t.alias({"rsqrt.approx.f64"}, {"rsqrt.approx.ftz.f64"});
}

}  // namespace warpwright::emu
