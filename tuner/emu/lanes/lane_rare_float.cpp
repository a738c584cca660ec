// Floating-point operations that are too rare to be compiled per instruction set. f32 and f64:
// saturation, .NaN, copysign, the approximate instructions of f64. 16 bits: .ftz, .sat, .relu and
// .NaN, approximate instructions and comparisons.
#define WARPWRIGHT_LANE_ISA lane_rare_float
#include "emu/lanes/lane_compare.h"
#include "emu/lanes/lane_float.h"
#include "emu/lanes/lane_half.h"
#include "emu/lanes/lane_special.h"

namespace warpwright::emu {
namespace {

using namespace lane_rare_float;

template <class Format, bool kFtz>
void add_half_relu(LaneTable& t, std::string_view type) {
  half_ternary<Format>(
      t, "fma", kFtz ? ".ftz.relu." : ".relu.", type,
      [](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
        return finish_half<Format, kFtz, false, true>(fused_half<Format, kFtz>(a, b, c));
      });
}

template <class Format>
void add_half_variants(LaneTable& t, std::string_view type) {
  add_half_arithmetic<Format, false, true>(t, type);
  add_half_arithmetic<Format, true, false>(t, type);
  add_half_arithmetic<Format, true, true>(t, type);
  add_half_relu<Format, false>(t, type);
  add_half_relu<Format, true>(t, type);
  add_half_extreme<Format, false, true, false>(t, type);
  add_half_extreme<Format, true, true, false>(t, type);
  add_half_extreme<Format, false, false, true>(t, type);
  add_half_extreme<Format, false, true, true>(t, type);
  add_half_extreme<Format, true, false, true>(t, type);
  add_half_extreme<Format, true, true, true>(t, type);
}

void add_approximate(LaneTable& t) {
  constexpr InstClass k = InstClass::kSpecial;
  unary<Half, Half>(t, {"ex2.approx.f16"}, k,
                    [](Half a) { return Half{float_to_half(ex2(half_to_float(a.bits)))}; });
  unary<Half, Half>(t, {"tanh.approx.f16"}, k,
                    [](Half a) { return Half{float_to_half(tanh_approx(half_to_float(a.bits)))}; });
  unary<Bf16, Bf16>(t, {"ex2.approx.ftz.bf16"}, k, [](Bf16 a) {
    return Bf16{float_to_bf16(flush(ex2(flush(bf16_to_float(a.bits)))))};
  });
  unary<Bf16, Bf16>(t, {"tanh.approx.bf16"}, k,
                    [](Bf16 a) { return Bf16{float_to_bf16(tanh_approx(bf16_to_float(a.bits)))}; });
  const auto pair = [](auto one, std::uint32_t a) {
    return static_cast<std::uint32_t>(one(static_cast<std::uint16_t>(a))) |
           static_cast<std::uint32_t>(one(static_cast<std::uint16_t>(a >> 16))) << 16;
  };
  using Pair = decltype(pair);
  unary<Half2, Half2>(t, {"ex2.approx.f16x2"}, k, [](Half2 a) {
    return Half2{
        Pair{}([](std::uint16_t h) { return float_to_half(ex2(half_to_float(h))); }, a.bits)};
  });
  unary<Half2, Half2>(t, {"tanh.approx.f16x2"}, k, [](Half2 a) {
    return Half2{Pair{}(
        [](std::uint16_t h) { return float_to_half(tanh_approx(half_to_float(h))); }, a.bits)};
  });
  unary<Bf162, Bf162>(t, {"ex2.approx.ftz.bf16x2"}, k, [](Bf162 a) {
    return Bf162{
        Pair{}([](std::uint16_t h) { return float_to_bf16(flush(ex2(flush(bf16_to_float(h))))); },
               a.bits)};
  });
  unary<Bf162, Bf162>(t, {"tanh.approx.bf16x2"}, k, [](Bf162 a) {
    return Bf162{Pair{}(
        [](std::uint16_t h) { return float_to_bf16(tanh_approx(bf16_to_float(h))); }, a.bits)};
  });
}

void add_short_compare(LaneTable& t) {
  add_integer_compare<std::uint16_t>(t, "u16");
  add_integer_compare<std::uint16_t>(t, "b16");
  add_integer_compare<std::int16_t>(t, "s16");
  add_float_compare<Half>(t, "f16", InstClass::kFp16, [](Half a) { return half_to_float(a.bits); });
  add_float_compare<Half>(t, "ftz.f16", InstClass::kFp16,
                          [](Half a) { return flush_half(half_to_float(a.bits)); });
  add_float_compare<Bf16>(t, "bf16", InstClass::kFp16,
                          [](Bf16 a) { return bf16_to_float(a.bits); });
}

}  // namespace

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

void add_lane_ops_rare_half(LaneTable& t) {
  add_half_variants<HalfFormat>(t, "f16");
  add_half_variants<Bf16Format>(t, "bf16");
  add_approximate(t);
  add_short_compare(t);
}

}  // namespace warpwright::emu
