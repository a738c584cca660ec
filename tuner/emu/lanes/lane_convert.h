// cvt between integers, between integers and floats, and between floats. Entries are named
// cvt.<destination>.<source> with rounding, .ftz and .sat before them; the default rounding has no
// name. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

inline constexpr InstClass kCvt = InstClass::kConvert;

// Registers hold narrow values extended to 32 bits, so the 64 conversions share a few
// implementations: truncation does not depend on the source's width, nor extension on the
// destination's.
template <class D, class S>
struct IntegerCast {
  [[gnu::always_inline]] D operator()(S a) const { return static_cast<D>(a); }
};

template <class D, class S>
constexpr Handler integer_cast() {
  if constexpr (sizeof(D) == 8) {
    using From = std::conditional_t<sizeof(S) == 8, std::uint64_t, S>;
    return &run_unary<IntegerCast<std::uint64_t, From>, std::uint64_t, From>;
  } else if constexpr (sizeof(S) == 8) {
    return &run_unary<IntegerCast<D, std::uint64_t>, D, std::uint64_t>;
  } else if constexpr (sizeof(D) <= sizeof(S)) {
    return &run_unary<IntegerCast<D, D>, D, D>;
  } else if constexpr (sizeof(D) == 4 || std::is_unsigned_v<S> || std::is_signed_v<D>) {
    return &run_unary<IntegerCast<S, S>, S, S>;
  } else {
    return &run_unary<IntegerCast<D, S>, D, S>;
  }
}

template <class D, class S>
void integer_to_integer(LaneTable& t, std::string_view d, std::string_view s) {
  t.add({"cvt.", d, ".", s}, lane_entry<D, S>(integer_cast<D, S>(), kCvt));
}

template <class S>
void integer_to_integers(LaneTable& t, std::string_view s) {
  integer_to_integer<std::uint8_t, S>(t, "u8", s);
  integer_to_integer<std::int8_t, S>(t, "s8", s);
  integer_to_integer<std::uint16_t, S>(t, "u16", s);
  integer_to_integer<std::int16_t, S>(t, "s16", s);
  integer_to_integer<std::uint32_t, S>(t, "u32", s);
  integer_to_integer<std::int32_t, S>(t, "s32", s);
  integer_to_integer<std::uint64_t, S>(t, "u64", s);
  integer_to_integer<std::int64_t, S>(t, "s64", s);
}

// Converts a rounded float to an integer, saturating. NaN becomes 0; in 64 bits, and from f64 in 32
// bits, it becomes the top bit alone, as on the hardware.
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
void float_to_integer_entry(LaneTable& t, std::string_view round, std::string_view d,
                            std::string_view s, Read) {
  unary<D, S>(t, {"cvt.", round, ".", d, ".", s}, kCvt,
              [](S a) { return float_to_integer<D, F>(Round{}(Read{}(a))); });
}
template <class D, class S, class F, class Read>
void float_to_integer_entries(LaneTable& t, std::string_view d, std::string_view s, Read read) {
  float_to_integer_entry<D, S, F, Rint<F>>(t, "rni", d, s, read);
  float_to_integer_entry<D, S, F, Trunc<F>>(t, "rzi", d, s, read);
  float_to_integer_entry<D, S, F, Floor<F>>(t, "rmi", d, s, read);
  float_to_integer_entry<D, S, F, Ceil<F>>(t, "rpi", d, s, read);
}
template <class S, class F, class Read>
void float_to_words(LaneTable& t, std::string_view s, Read read) {
  float_to_integer_entries<std::uint32_t, S, F>(t, "u32", s, read);
  float_to_integer_entries<std::int32_t, S, F>(t, "s32", s, read);
}
template <class S>
void integer_to_floats(LaneTable& t, std::string_view s) {
  unary<float, S>(t, {"cvt.f32.", s}, kCvt, [](S a) { return static_cast<float>(a); });
  unary<double, S>(t, {"cvt.f64.", s}, kCvt, [](S a) { return static_cast<double>(a); });
}

template <class S, class Read>
void round_in_place(LaneTable& t, std::string_view type, Read) {
  using R = Read;
  unary<S, S>(t, {"cvt.rni.", type}, kCvt, [](S a) { return R{}(a, Rint<float>{}); });
  unary<S, S>(t, {"cvt.rzi.", type}, kCvt, [](S a) { return R{}(a, Trunc<float>{}); });
  unary<S, S>(t, {"cvt.rmi.", type}, kCvt, [](S a) { return R{}(a, Floor<float>{}); });
  unary<S, S>(t, {"cvt.rpi.", type}, kCvt, [](S a) { return R{}(a, Ceil<float>{}); });
}

inline void add_float_to_float(LaneTable& t) {
  // Conversions of doubles keep the payload of a NaN.
  unary<float, double>(t, {"cvt.f32.f64"}, kCvt, [](double a) { return static_cast<float>(a); });
  unary<float, double>(t, {"cvt.ftz.f32.f64"}, kCvt,
                       [](double a) { return flush(static_cast<float>(a)); });
  unary<float, double>(t, {"cvt.sat.f32.f64"}, kCvt,
                       [](double a) { return saturate(static_cast<float>(a)); });
  unary<double, float>(t, {"cvt.f64.f32"}, kCvt, [](float a) { return static_cast<double>(a); });
  unary<double, float>(t, {"cvt.ftz.f64.f32"}, kCvt,
                       [](float a) { return static_cast<double>(flush(a)); });
  unary<float, float>(t, {"cvt.f32.f32"}, kCvt, [](float a) { return canonical(a); });
  unary<float, float>(t, {"cvt.ftz.f32.f32"}, kCvt, [](float a) { return canonical(flush(a)); });
  unary<float, float>(t, {"cvt.sat.f32.f32"}, kCvt, [](float a) { return saturate(a); });
  unary<float, float>(t, {"cvt.ftz.sat.f32.f32"}, kCvt, [](float a) { return saturate(flush(a)); });
  unary<double, double>(t, {"cvt.f64.f64"}, kCvt, [](double a) { return a; });
  unary<float, Half>(t, {"cvt.f32.f16"}, kCvt,
                     [](Half a) { return canonical(half_to_float(a.bits)); });
  unary<float, Half>(t, {"cvt.ftz.f32.f16"}, kCvt,
                     [](Half a) { return canonical(half_to_float(a.bits)); });
  unary<float, Bf16>(t, {"cvt.f32.bf16"}, kCvt, [](Bf16 a) { return bf16_to_float(a.bits); });
  unary<float, Bf16>(t, {"cvt.ftz.f32.bf16"}, kCvt,
                     [](Bf16 a) { return flush(bf16_to_float(a.bits)); });
  unary<Half, float>(t, {"cvt.f16.f32"}, kCvt, [](float a) { return Half{float_to_half(a)}; });
  unary<Bf16, float>(t, {"cvt.bf16.f32"}, kCvt, [](float a) { return Bf16{float_to_bf16(a)}; });
  // The first source goes to the upper half.
  binary<Half2, float, float>(t, {"cvt.f16x2.f32"}, kCvt, [](float a, float b) {
    return Half2{static_cast<std::uint32_t>(float_to_half(a)) << 16 | float_to_half(b)};
  });
  binary<Bf162, float, float>(t, {"cvt.bf16x2.f32"}, kCvt, [](float a, float b) {
    return Bf162{static_cast<std::uint32_t>(float_to_bf16(a)) << 16 | float_to_bf16(b)};
  });
  // tf32 keeps 10 bits of mantissa: .rna rounds ties away, .rn to even; the low 13 bits are zero
  // here.
  unary<std::uint32_t, float>(t, {"cvt.rna.tf32.f32"}, kCvt, [](float a) {
    return (bits_of(a) + (a != a ? 0u : 0x1000u)) & 0xffffe000u;
  });
  unary<std::uint32_t, float>(t, {"cvt.tf32.f32"}, kCvt, [](float a) {
    return (bits_of(a) + (a != a ? 0u : 0xfffu + (bits_of(a) >> 13 & 1))) & 0xffffe000u;
  });
  unary<std::uint32_t, float>(t, {"cvt.rz.tf32.f32"}, kCvt,
                              [](float a) { return bits_of(a) & 0xffffe000u; });
  t.alias({"cvt.rna.satfinite.tf32.f32"}, {"cvt.rna.tf32.f32"});
  round_in_place<float>(t, "f32.f32", [](float a, auto round) { return canonical(round(a)); });
  round_in_place<float>(t, "ftz.f32.f32",
                        [](float a, auto round) { return canonical(round(flush(a))); });
}

inline void add_convert(LaneTable& t) {
  integer_to_integers<std::uint8_t>(t, "u8");
  integer_to_integers<std::int8_t>(t, "s8");
  integer_to_integers<std::uint16_t>(t, "u16");
  integer_to_integers<std::int16_t>(t, "s16");
  integer_to_integers<std::uint32_t>(t, "u32");
  integer_to_integers<std::int32_t>(t, "s32");
  integer_to_integers<std::uint64_t>(t, "u64");
  integer_to_integers<std::int64_t>(t, "s64");
  integer_to_floats<std::uint32_t>(t, "u32");
  integer_to_floats<std::int32_t>(t, "s32");
  integer_to_floats<std::uint64_t>(t, "u64");
  integer_to_floats<std::int64_t>(t, "s64");
  float_to_words<float, float>(t, "f32", [](float a) { return a; });
  add_float_to_float(t);
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
