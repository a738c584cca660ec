// cvt: integers among themselves, integers from and to floats, floats among themselves. Entries are
// named cvt.<destination>.<source> with rounding, .ftz and .sat before them; the default rounding
// has no name. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lane_exec.h"
#include "emu/lane_float.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

inline constexpr InstClass kCvt = InstClass::kConvert;

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
void integer_to_integer(LaneTable& t, const std::string& d, const std::string& s) {
  unary<D, S>(t, "cvt." + d + "." + s, kCvt, [](S a) { return static_cast<D>(a); });
  unary<D, S>(t, "cvt.sat." + d + "." + s, kCvt, [](S a) { return saturate_integer<D, S>(a); });
}

// A rounded float to an integer, saturating. NaN becomes 0, but the top bit alone in 64 bits and
// from f64 in 32, as on the hardware.
template <class D, class F>
[[gnu::always_inline]] inline D float_to_integer(F value) {
  constexpr bool kSigned = std::is_signed_v<D>;
  constexpr int kBits = sizeof(D) * 8;
  constexpr F kLimit = static_cast<F>(
      kBits - (kSigned ? 1 : 0) == 64 ? 18446744073709551616.0
      : kBits - (kSigned ? 1 : 0) == 63
          ? 9223372036854775808.0
          : static_cast<double>(std::uint64_t{1} << ((kBits - (kSigned ? 1 : 0)) & 63)));
  constexpr D kMin = kSigned ? static_cast<D>(D{1} << (kBits - 1)) : D{0};
  constexpr D kMax = static_cast<D>(~kMin);
  const bool low = !(value > (kSigned ? -kLimit : F{0}));  // NaN too
  const bool high = value >= kLimit;
  const F inside = low || high ? F{0} : value;
  const D converted = static_cast<D>(inside);
  const bool top_bit = kBits == 64 || (kBits == 32 && sizeof(F) == 8);
  const D nan = top_bit ? static_cast<D>(D{1} << (kBits - 1)) : D{0};
  return value != value ? nan : high ? kMax : low ? kMin : converted;
}

template <class F>
struct Rint {
  [[gnu::always_inline]] F operator()(F a) const {
    return sizeof(F) == 8 ? static_cast<F>(__builtin_rint(static_cast<double>(a)))
                          : static_cast<F>(__builtin_rintf(static_cast<float>(a)));
  }
};
template <class F>
struct Trunc {
  [[gnu::always_inline]] F operator()(F a) const {
    return sizeof(F) == 8 ? static_cast<F>(__builtin_trunc(static_cast<double>(a)))
                          : static_cast<F>(__builtin_truncf(static_cast<float>(a)));
  }
};
template <class F>
struct Floor {
  [[gnu::always_inline]] F operator()(F a) const {
    return sizeof(F) == 8 ? static_cast<F>(__builtin_floor(static_cast<double>(a)))
                          : static_cast<F>(__builtin_floorf(static_cast<float>(a)));
  }
};
template <class F>
struct Ceil {
  [[gnu::always_inline]] F operator()(F a) const {
    return sizeof(F) == 8 ? static_cast<F>(__builtin_ceil(static_cast<double>(a)))
                          : static_cast<F>(__builtin_ceilf(static_cast<float>(a)));
  }
};

// `Read` widens the register to float or double.
template <class D, class S, class F, class Round, class Read>
void float_to_integer_entry(LaneTable& t, const std::string& round, const std::string& d,
                            const std::string& s, Read) {
  unary<D, S>(t, "cvt." + round + "." + d + "." + s, kCvt,
              [](S a) { return float_to_integer<D, F>(Round{}(Read{}(a))); });
}
template <class S, class F, class Round, class Read>
void float_to_integers_rounded(LaneTable& t, const std::string& round, const std::string& s,
                               Read read) {
  float_to_integer_entry<std::uint8_t, S, F, Round>(t, round, "u8", s, read);
  float_to_integer_entry<std::int8_t, S, F, Round>(t, round, "s8", s, read);
  float_to_integer_entry<std::uint16_t, S, F, Round>(t, round, "u16", s, read);
  float_to_integer_entry<std::int16_t, S, F, Round>(t, round, "s16", s, read);
  float_to_integer_entry<std::uint32_t, S, F, Round>(t, round, "u32", s, read);
  float_to_integer_entry<std::int32_t, S, F, Round>(t, round, "s32", s, read);
  float_to_integer_entry<std::uint64_t, S, F, Round>(t, round, "u64", s, read);
  float_to_integer_entry<std::int64_t, S, F, Round>(t, round, "s64", s, read);
}
template <class S, class F, class Read>
void float_to_integers(LaneTable& t, const std::string& s, Read read) {
  float_to_integers_rounded<S, F, Rint<F>>(t, "rni", s, read);
  float_to_integers_rounded<S, F, Trunc<F>>(t, "rzi", s, read);
  float_to_integers_rounded<S, F, Floor<F>>(t, "rmi", s, read);
  float_to_integers_rounded<S, F, Ceil<F>>(t, "rpi", s, read);
}

// Integer to half by way of a float that was rounded to odd where it was inexact.
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
void from_integer(LaneTable& t, const std::string& s) {
  integer_to_integer<std::uint8_t, S>(t, "u8", s);
  integer_to_integer<std::int8_t, S>(t, "s8", s);
  integer_to_integer<std::uint16_t, S>(t, "u16", s);
  integer_to_integer<std::int16_t, S>(t, "s16", s);
  integer_to_integer<std::uint32_t, S>(t, "u32", s);
  integer_to_integer<std::int32_t, S>(t, "s32", s);
  integer_to_integer<std::uint64_t, S>(t, "u64", s);
  integer_to_integer<std::int64_t, S>(t, "s64", s);
  unary<float, S>(t, "cvt.f32." + s, kCvt, [](S a) { return static_cast<float>(a); });
  unary<double, S>(t, "cvt.f64." + s, kCvt, [](S a) { return static_cast<double>(a); });
  unary<Half, S>(t, "cvt.f16." + s, kCvt,
                 [](S a) { return Half{float_to_half(integer_to_odd(a))}; });
  unary<Bf16, S>(t, "cvt.bf16." + s, kCvt,
                 [](S a) { return Bf16{float_to_bf16(integer_to_odd(a))}; });
}

template <class S, class Read>
void round_in_place(LaneTable& t, const std::string& type, InstClass, Read) {
  using R = Read;
  unary<S, S>(t, "cvt.rni." + type, kCvt, [](S a) { return R{}(a, Rint<float>{}); });
  unary<S, S>(t, "cvt.rzi." + type, kCvt, [](S a) { return R{}(a, Trunc<float>{}); });
  unary<S, S>(t, "cvt.rmi." + type, kCvt, [](S a) { return R{}(a, Floor<float>{}); });
  unary<S, S>(t, "cvt.rpi." + type, kCvt, [](S a) { return R{}(a, Ceil<float>{}); });
}

inline void add_float_to_float(LaneTable& t) {
  // Conversions of doubles keep the payload of a NaN.
  unary<float, double>(t, "cvt.f32.f64", kCvt, [](double a) { return static_cast<float>(a); });
  unary<float, double>(t, "cvt.ftz.f32.f64", kCvt,
                       [](double a) { return flush(static_cast<float>(a)); });
  unary<float, double>(t, "cvt.sat.f32.f64", kCvt,
                       [](double a) { return saturate(static_cast<float>(a)); });
  unary<double, float>(t, "cvt.f64.f32", kCvt, [](float a) { return static_cast<double>(a); });
  unary<double, float>(t, "cvt.ftz.f64.f32", kCvt,
                       [](float a) { return static_cast<double>(flush(a)); });
  unary<float, float>(t, "cvt.f32.f32", kCvt, [](float a) { return canonical(a); });
  unary<float, float>(t, "cvt.ftz.f32.f32", kCvt, [](float a) { return canonical(flush(a)); });
  unary<float, float>(t, "cvt.sat.f32.f32", kCvt, [](float a) { return saturate(a); });
  unary<float, float>(t, "cvt.ftz.sat.f32.f32", kCvt, [](float a) { return saturate(flush(a)); });
  unary<double, double>(t, "cvt.f64.f64", kCvt, [](double a) { return a; });
  unary<float, Half>(t, "cvt.f32.f16", kCvt,
                     [](Half a) { return canonical(half_to_float(a.bits)); });
  unary<float, Half>(t, "cvt.ftz.f32.f16", kCvt,
                     [](Half a) { return canonical(half_to_float(a.bits)); });
  unary<double, Half>(t, "cvt.f64.f16", kCvt,
                      [](Half a) { return static_cast<double>(half_to_float(a.bits)); });
  unary<float, Bf16>(t, "cvt.f32.bf16", kCvt, [](Bf16 a) { return bf16_to_float(a.bits); });
  unary<float, Bf16>(t, "cvt.ftz.f32.bf16", kCvt,
                     [](Bf16 a) { return flush(bf16_to_float(a.bits)); });
  unary<double, Bf16>(t, "cvt.f64.bf16", kCvt,
                      [](Bf16 a) { return static_cast<double>(bf16_to_float(a.bits)); });
  unary<Half, float>(t, "cvt.f16.f32", kCvt, [](float a) { return Half{float_to_half(a)}; });
  unary<Half, float>(t, "cvt.ftz.f16.f32", kCvt,
                     [](float a) { return Half{float_to_half(flush(a))}; });
  unary<Half, float>(t, "cvt.sat.f16.f32", kCvt,
                     [](float a) { return Half{float_to_half(saturate(a))}; });
  unary<Bf16, float>(t, "cvt.bf16.f32", kCvt, [](float a) { return Bf16{float_to_bf16(a)}; });
  unary<Half, double>(t, "cvt.f16.f64", kCvt, [](double a) {
    const std::uint32_t nan = bits_of(static_cast<float>(a));
    const std::uint32_t kept = (nan >> 16 & 0x8000u) | 0x7e00u | (nan >> 13 & 0x1ffu);
    return Half{a != a ? static_cast<std::uint16_t>(kept) : float_to_half(round_to_odd(a))};
  });
  unary<Bf16, double>(t, "cvt.bf16.f64", kCvt, [](double a) {
    const std::uint32_t nan = bits_of(static_cast<float>(a)) >> 16 | 0x40u;
    return Bf16{a != a ? static_cast<std::uint16_t>(nan) : float_to_bf16(round_to_odd(a))};
  });
  unary<Half, Half>(t, "cvt.f16.f16", kCvt, [](Half a) { return a; });
  unary<Bf16, Half>(t, "cvt.bf16.f16", kCvt,
                    [](Half a) { return Bf16{float_to_bf16(half_to_float(a.bits))}; });
  unary<Half, Bf16>(t, "cvt.f16.bf16", kCvt,
                    [](Bf16 a) { return Half{float_to_half(bf16_to_float(a.bits))}; });
  // The first source goes to the upper half.
  binary<Half2, float, float>(t, "cvt.f16x2.f32", kCvt, [](float a, float b) {
    return Half2{static_cast<std::uint32_t>(float_to_half(a)) << 16 | float_to_half(b)};
  });
  binary<Bf162, float, float>(t, "cvt.bf16x2.f32", kCvt, [](float a, float b) {
    return Bf162{static_cast<std::uint32_t>(float_to_bf16(a)) << 16 | float_to_bf16(b)};
  });
  const auto relu = [](float a) { return a > 0.0f ? a : a != a ? a : 0.0f; };
  using Relu = decltype(relu);
  unary<Half, float>(t, "cvt.relu.f16.f32", kCvt,
                     [](float a) { return Half{float_to_half(Relu{}(a))}; });
  unary<Bf16, float>(t, "cvt.relu.bf16.f32", kCvt,
                     [](float a) { return Bf16{float_to_bf16(Relu{}(a))}; });
  binary<Half2, float, float>(t, "cvt.relu.f16x2.f32", kCvt, [](float a, float b) {
    return Half2{static_cast<std::uint32_t>(float_to_half(Relu{}(a))) << 16 |
                 float_to_half(Relu{}(b))};
  });
  binary<Bf162, float, float>(t, "cvt.relu.bf16x2.f32", kCvt, [](float a, float b) {
    return Bf162{static_cast<std::uint32_t>(float_to_bf16(Relu{}(a))) << 16 |
                 float_to_bf16(Relu{}(b))};
  });
  // tf32 keeps 10 bits of mantissa: .rna rounds ties away, .rn to even; the low 13 bits are zero
  // here.
  unary<std::uint32_t, float>(t, "cvt.rna.tf32.f32", kCvt, [](float a) {
    return (bits_of(a) + (a != a ? 0u : 0x1000u)) & 0xffffe000u;
  });
  unary<std::uint32_t, float>(t, "cvt.tf32.f32", kCvt, [](float a) {
    return (bits_of(a) + (a != a ? 0u : 0xfffu + (bits_of(a) >> 13 & 1))) & 0xffffe000u;
  });
  unary<std::uint32_t, float>(t, "cvt.rz.tf32.f32", kCvt,
                              [](float a) { return bits_of(a) & 0xffffe000u; });
  t.alias("cvt.rna.satfinite.tf32.f32", "cvt.rna.tf32.f32");
  round_in_place<float>(t, "f32.f32", kCvt,
                        [](float a, auto round) { return canonical(round(a)); });
  round_in_place<float>(t, "ftz.f32.f32", kCvt,
                        [](float a, auto round) { return canonical(round(flush(a))); });
  round_in_place<Half>(t, "f16.f16", kCvt, [](Half a, auto round) {
    return Half{float_to_half(round(half_to_float(a.bits)))};
  });
  round_in_place<Bf16>(t, "bf16.bf16", kCvt, [](Bf16 a, auto round) {
    return Bf16{float_to_bf16(round(bf16_to_float(a.bits)))};
  });
  unary<double, double>(t, "cvt.rni.f64.f64", kCvt, [](double a) { return Rint<double>{}(a); });
  unary<double, double>(t, "cvt.rzi.f64.f64", kCvt, [](double a) { return Trunc<double>{}(a); });
  unary<double, double>(t, "cvt.rmi.f64.f64", kCvt, [](double a) { return Floor<double>{}(a); });
  unary<double, double>(t, "cvt.rpi.f64.f64", kCvt, [](double a) { return Ceil<double>{}(a); });
}

inline void add_convert(LaneTable& t) {
  from_integer<std::uint8_t>(t, "u8");
  from_integer<std::int8_t>(t, "s8");
  from_integer<std::uint16_t>(t, "u16");
  from_integer<std::int16_t>(t, "s16");
  from_integer<std::uint32_t>(t, "u32");
  from_integer<std::int32_t>(t, "s32");
  from_integer<std::uint64_t>(t, "u64");
  from_integer<std::int64_t>(t, "s64");
  float_to_integers<float, float>(t, "f32", [](float a) { return a; });
  float_to_integers<double, double>(t, "f64", [](double a) { return a; });
  float_to_integers<Half, float>(t, "f16", [](Half a) { return half_to_float(a.bits); });
  float_to_integers<Bf16, float>(t, "bf16", [](Bf16 a) { return bf16_to_float(a.bits); });
  add_float_to_float(t);
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
