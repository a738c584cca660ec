// Conversions that are too rare to be compiled per instruction set: saturating integers, between
// 8- and 16-bit integers and floats, between halves and integers or doubles, and 8-bit floats.
#define WARPWRIGHT_LANE_ISA lane_rare_convert
#include "emu/lanes/lane_convert.h"
#include "emu/numbers/small_float.h"

namespace warpwright::emu {
namespace {

using namespace lane_rare_convert;

template <class D, class S>
[[gnu::always_inline]] inline D saturate_integer(S value) {
  __extension__ using Wide = __int128;
  constexpr D kMin = std::is_signed_v<D> ? static_cast<D>(D{1} << (sizeof(D) * 8 - 1)) : D{0};
  constexpr D kMax = static_cast<D>(~kMin);
  const Wide wide = static_cast<Wide>(value);
  return wide < static_cast<Wide>(kMin)   ? kMin
         : wide > static_cast<Wide>(kMax) ? kMax
                                          : static_cast<D>(value);
}

template <class D, class S>
void saturating_cast(LaneTable& t, std::string_view d, std::string_view s) {
  constexpr bool kHoldsAll =
      std::is_signed_v<S>
          ? std::is_signed_v<D> && sizeof(D) >= sizeof(S)
          : sizeof(D) > sizeof(S) || (std::is_unsigned_v<D> && sizeof(D) == sizeof(S));
  if constexpr (kHoldsAll) {
    t.add({"cvt.sat.", d, ".", s}, lane_entry<D, S>(integer_cast<D, S>(), kCvt));
  } else {
    unary<D, S>(t, {"cvt.sat.", d, ".", s}, kCvt, [](S a) { return saturate_integer<D, S>(a); });
  }
}

template <class S>
void saturating_casts(LaneTable& t, std::string_view s) {
  saturating_cast<std::uint8_t, S>(t, "u8", s);
  saturating_cast<std::int8_t, S>(t, "s8", s);
  saturating_cast<std::uint16_t, S>(t, "u16", s);
  saturating_cast<std::int16_t, S>(t, "s16", s);
  saturating_cast<std::uint32_t, S>(t, "u32", s);
  saturating_cast<std::int32_t, S>(t, "s32", s);
  saturating_cast<std::uint64_t, S>(t, "u64", s);
  saturating_cast<std::int64_t, S>(t, "s64", s);
}

template <class S, class F, class Read>
void float_to_short_integers(LaneTable& t, std::string_view s, Read read) {
  float_to_integer_entries<std::uint8_t, S, F>(t, "u8", s, read);
  float_to_integer_entries<std::int8_t, S, F>(t, "s8", s, read);
  float_to_integer_entries<std::uint16_t, S, F>(t, "u16", s, read);
  float_to_integer_entries<std::int16_t, S, F>(t, "s16", s, read);
}
template <class S, class F, class Read>
void float_to_long_integers(LaneTable& t, std::string_view s, Read read) {
  float_to_integer_entries<std::uint64_t, S, F>(t, "u64", s, read);
  float_to_integer_entries<std::int64_t, S, F>(t, "s64", s, read);
}

template <class S, class F, class Read>
void float_to_integers(LaneTable& t, std::string_view s, Read read) {
  float_to_short_integers<S, F>(t, s, read);
  float_to_words<S, F>(t, s, read);
  float_to_long_integers<S, F>(t, s, read);
}

// Converts an integer to half through a float that is rounded to odd if it is inexact.
template <class S>
[[gnu::always_inline]] inline float integer_to_odd(S a) {
  if constexpr (sizeof(S) <= 4) {
    return round_to_odd(static_cast<double>(a));
  } else {
    const double nearest = static_cast<double>(a);
    __extension__ const auto error = static_cast<__int128>(a) - static_cast<__int128>(nearest);
    const std::uint64_t bits = bits_of(nearest);
    const bool away = (error < 0) == (nearest < 0);
    const std::uint64_t odd = (bits & 1) != 0 ? bits : away ? bits + 1 : bits - 1;
    return round_to_odd(double_from_bits(error != 0 ? odd : bits));
  }
}

template <class S>
void integer_to_halves(LaneTable& t, std::string_view s) {
  unary<Half, S>(t, {"cvt.f16.", s}, kCvt,
                 [](S a) { return Half{float_to_half(integer_to_odd(a))}; });
  unary<Bf16, S>(t, {"cvt.bf16.", s}, kCvt,
                 [](S a) { return Bf16{float_to_bf16(integer_to_odd(a))}; });
}

// Some instruction sets quiet a signalling NaN when they round it, others leave it unchanged.
template <class Round>
void round_double(LaneTable& t, std::string_view round) {
  unary<double, double>(t, {"cvt.", round, ".f64.f64"}, kCvt,
                        [](double a) { return nan_of(a, 0.0, 0.0, Round{}(a)); });
}

// Adds conversions between doubles and halves, rounding of halves, and .relu.
void add_float_to_float_rare(LaneTable& t) {
  unary<double, Half>(t, {"cvt.f64.f16"}, kCvt,
                      [](Half a) { return static_cast<double>(half_to_float(a.bits)); });
  unary<double, Bf16>(t, {"cvt.f64.bf16"}, kCvt,
                      [](Bf16 a) { return static_cast<double>(bf16_to_float(a.bits)); });
  unary<Half, float>(t, {"cvt.ftz.f16.f32"}, kCvt,
                     [](float a) { return Half{float_to_half(flush(a))}; });
  unary<Half, float>(t, {"cvt.sat.f16.f32"}, kCvt,
                     [](float a) { return Half{float_to_half(saturate(a))}; });
  unary<Half, double>(t, {"cvt.f16.f64"}, kCvt, [](double a) {
    const std::uint32_t nan = bits_of(static_cast<float>(a));
    const std::uint32_t kept = (nan >> 16 & 0x8000u) | 0x7e00u | (nan >> 13 & 0x1ffu);
    return Half{a != a ? static_cast<std::uint16_t>(kept) : float_to_half(round_to_odd(a))};
  });
  unary<Bf16, double>(t, {"cvt.bf16.f64"}, kCvt, [](double a) {
    const std::uint32_t nan = bits_of(static_cast<float>(a)) >> 16 | 0x40u;
    return Bf16{a != a ? static_cast<std::uint16_t>(nan) : float_to_bf16(round_to_odd(a))};
  });
  unary<Half, Half>(t, {"cvt.f16.f16"}, kCvt, [](Half a) { return a; });
  unary<Bf16, Half>(t, {"cvt.bf16.f16"}, kCvt,
                    [](Half a) { return Bf16{float_to_bf16(half_to_float(a.bits))}; });
  unary<Half, Bf16>(t, {"cvt.f16.bf16"}, kCvt,
                    [](Bf16 a) { return Half{float_to_half(bf16_to_float(a.bits))}; });
  const auto relu = [](float a) { return a > 0.0f ? a : a != a ? a : 0.0f; };
  using Relu = decltype(relu);
  unary<Half, float>(t, {"cvt.relu.f16.f32"}, kCvt,
                     [](float a) { return Half{float_to_half(Relu{}(a))}; });
  unary<Bf16, float>(t, {"cvt.relu.bf16.f32"}, kCvt,
                     [](float a) { return Bf16{float_to_bf16(Relu{}(a))}; });
  binary<Half2, float, float>(t, {"cvt.relu.f16x2.f32"}, kCvt, [](float a, float b) {
    return Half2{static_cast<std::uint32_t>(float_to_half(Relu{}(a))) << 16 |
                 float_to_half(Relu{}(b))};
  });
  binary<Bf162, float, float>(t, {"cvt.relu.bf16x2.f32"}, kCvt, [](float a, float b) {
    return Bf162{static_cast<std::uint32_t>(float_to_bf16(Relu{}(a))) << 16 |
                 float_to_bf16(Relu{}(b))};
  });
  round_in_place<Half>(t, "f16.f16", [](Half a, auto round) {
    return Half{float_to_half(round(half_to_float(a.bits)))};
  });
  round_in_place<Bf16>(t, "bf16.bf16", [](Bf16 a, auto round) {
    return Bf16{float_to_bf16(round(bf16_to_float(a.bits)))};
  });
  round_double<Rint<double>>(t, "rni");
  round_double<Trunc<double>>(t, "rzi");
  round_double<Floor<double>>(t, "rmi");
  round_double<Ceil<double>>(t, "rpi");
}

// --- floats of 4, 6 and 8 bits, two at a time: the first operand is the upper one

// The distance in bits from one element to the next, padding included.
constexpr unsigned spacing(SmallFormat format) { return format == SmallFormat::kE2m1 ? 4 : 8; }

template <SmallFormat kFormat>
[[gnu::always_inline]] inline std::uint32_t small_pair(float high, float low, bool relu) {
  return std::uint32_t{float_to_small(kFormat, high, relu)} << spacing(kFormat) |
         float_to_small(kFormat, low, relu);
}

template <SmallFormat kFormat>
[[gnu::always_inline]] inline std::uint32_t halves_of_small(std::uint32_t pair, bool relu) {
  const auto half = [&](std::uint32_t bits) -> std::uint32_t {
    const float value = small_to_float(kFormat, static_cast<std::uint8_t>(bits));
    return float_to_half(relu && value <= 0 ? 0.0f : value);
  };
  return half(pair >> spacing(kFormat)) << 16 | half(pair);
}

template <SmallFormat kFormat>
void add_small(LaneTable& t, std::string_view pair) {
  using u32 = std::uint32_t;
  binary<u32, float, float>(t, {"cvt.satfinite.", pair, ".f32"}, kCvt,
                            [](float a, float b) { return small_pair<kFormat>(a, b, false); });
  binary<u32, float, float>(t, {"cvt.satfinite.relu.", pair, ".f32"}, kCvt,
                            [](float a, float b) { return small_pair<kFormat>(a, b, true); });
  unary<u32, u32>(t, {"cvt.f16x2.", pair}, kCvt,
                  [](u32 a) { return halves_of_small<kFormat>(a, false); });
  unary<u32, u32>(t, {"cvt.relu.f16x2.", pair}, kCvt,
                  [](u32 a) { return halves_of_small<kFormat>(a, true); });
}

// Adds conversions from pairs of halves to 8 bits.
template <SmallFormat kFormat>
void add_small_of_halves(LaneTable& t, std::string_view pair) {
  using u32 = std::uint32_t;
  const auto high = [](u32 a) { return half_to_float(static_cast<std::uint16_t>(a >> 16)); };
  const auto low = [](u32 a) { return half_to_float(static_cast<std::uint16_t>(a)); };
  using High = decltype(high);
  using Low = decltype(low);
  unary<u32, u32>(t, {"cvt.satfinite.", pair, ".f16x2"}, kCvt,
                  [](u32 a) { return small_pair<kFormat>(High{}(a), Low{}(a), false); });
  unary<u32, u32>(t, {"cvt.satfinite.relu.", pair, ".f16x2"}, kCvt,
                  [](u32 a) { return small_pair<kFormat>(High{}(a), Low{}(a), true); });
}

template <bool kUp, bool kSaturate>
void add_powers(LaneTable& t, std::string_view round) {
  using u32 = std::uint32_t;
  binary<u32, float, float>(t, {"cvt.", round, ".ue8m0x2.f32"}, kCvt, [](float a, float b) {
    return u32{float_to_ue8m0(a, kUp, kSaturate)} << 8 | float_to_ue8m0(b, kUp, kSaturate);
  });
  unary<u32, u32>(t, {"cvt.", round, ".ue8m0x2.bf16x2"}, kCvt, [](u32 a) {
    return u32{float_to_ue8m0(bf16_to_float(static_cast<std::uint16_t>(a >> 16)), kUp, kSaturate)}
               << 8 |
           float_to_ue8m0(bf16_to_float(static_cast<std::uint16_t>(a)), kUp, kSaturate);
  });
}

void add_small_floats(LaneTable& t) {
  using u32 = std::uint32_t;
  add_small<SmallFormat::kE2m1>(t, "e2m1x2");
  add_small<SmallFormat::kE2m3>(t, "e2m3x2");
  add_small<SmallFormat::kE3m2>(t, "e3m2x2");
  add_small<SmallFormat::kE4m3>(t, "e4m3x2");
  add_small<SmallFormat::kE5m2>(t, "e5m2x2");
  add_small_of_halves<SmallFormat::kE4m3>(t, "e4m3x2");
  add_small_of_halves<SmallFormat::kE5m2>(t, "e5m2x2");
  add_powers<false, false>(t, "rz");
  add_powers<false, true>(t, "rz.satfinite");
  add_powers<true, false>(t, "rp");
  add_powers<true, true>(t, "rp.satfinite");
  unary<u32, u32>(t, {"cvt.bf16x2.ue8m0x2"}, kCvt, [](u32 a) {
    return u32{ue8m0_to_bf16(static_cast<std::uint8_t>(a >> 8))} << 16 |
           ue8m0_to_bf16(static_cast<std::uint8_t>(a));
  });
}

// --- truncating and other directed conversions to halves
void add_directed(LaneTable& t) {
  using u32 = std::uint32_t;
  const auto bf16_rz = [](float a) { return a != a ? 0x7fffu : bits_of(a) >> 16; };
  using Bf16Rz = decltype(bf16_rz);
  unary<u32, float>(t, {"cvt.rz.bf16.f32"}, kCvt, [](float a) { return Bf16Rz{}(a); });
  unary<u32, float>(t, {"cvt.rp.bf16.f32"}, kCvt, [](float a) { return u32{float_to_bf16_up(a)}; });
  binary<u32, float, float>(t, {"cvt.rz.bf16x2.f32"}, kCvt,
                            [](float a, float b) { return Bf16Rz{}(a) << 16 | Bf16Rz{}(b); });
  unary<u32, float>(t, {"cvt.rz.f16.f32"}, kCvt,
                    [](float a) { return static_cast<u32>(float_to_half_toward_zero(a)); });
  unary<u32, float>(t, {"cvt.rm.f16.f32"}, kCvt,
                    [](float a) { return static_cast<u32>(float_to_half_directed(a, false)); });
  unary<u32, float>(t, {"cvt.rp.f16.f32"}, kCvt,
                    [](float a) { return static_cast<u32>(float_to_half_directed(a, true)); });
  binary<u32, float, float>(t, {"cvt.rz.f16x2.f32"}, kCvt, [](float a, float b) {
    return static_cast<u32>(float_to_half_toward_zero(a)) << 16 | float_to_half_toward_zero(b);
  });
}

}  // namespace

void add_lane_ops_rare_convert(LaneTable& t) {
  saturating_casts<std::uint8_t>(t, "u8");
  saturating_casts<std::int8_t>(t, "s8");
  saturating_casts<std::uint16_t>(t, "u16");
  saturating_casts<std::int16_t>(t, "s16");
  saturating_casts<std::uint32_t>(t, "u32");
  saturating_casts<std::int32_t>(t, "s32");
  saturating_casts<std::uint64_t>(t, "u64");
  saturating_casts<std::int64_t>(t, "s64");
  integer_to_floats<std::uint8_t>(t, "u8");
  integer_to_floats<std::int8_t>(t, "s8");
  integer_to_floats<std::uint16_t>(t, "u16");
  integer_to_floats<std::int16_t>(t, "s16");
  integer_to_halves<std::uint8_t>(t, "u8");
  integer_to_halves<std::int8_t>(t, "s8");
  integer_to_halves<std::uint16_t>(t, "u16");
  integer_to_halves<std::int16_t>(t, "s16");
  integer_to_halves<std::uint32_t>(t, "u32");
  integer_to_halves<std::int32_t>(t, "s32");
  integer_to_halves<std::uint64_t>(t, "u64");
  integer_to_halves<std::int64_t>(t, "s64");
  const auto same = [](auto a) { return a; };
  float_to_short_integers<float, float>(t, "f32", same);
  float_to_long_integers<float, float>(t, "f32", same);
  float_to_integers<double, double>(t, "f64", same);
  float_to_integers<Half, float>(t, "f16", [](Half a) { return half_to_float(a.bits); });
  float_to_integers<Bf16, float>(t, "bf16", [](Bf16 a) { return bf16_to_float(a.bits); });
  add_float_to_float_rare(t);
  add_small_floats(t);
  add_directed(t);
}

}  // namespace warpwright::emu
